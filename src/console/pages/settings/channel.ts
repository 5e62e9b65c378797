import { testChannels } from '../../../actions/alerts/test-channels.js';
import { type Html, html } from '../../../report/page/html.js';
import type { Visit } from '../../work/visit.js';
import { type Page, sectionOf } from '../page.js';
import { choicesIn, formToken } from '../parts/fields.js';
import { settingsPageOf } from './change.js';
import { entryIndex, listAt, readConfigFile, type SettingField, valueAt } from './setting-fields.js';

const CHANNELS = ['alerts', 'channels'] as const;

/** What is changed here of each way; a channel that writes a file or starts a program is changed in registrar.yaml alone. */
const WAYS: Readonly<Record<'email' | 'webhook', readonly SettingField[]>> = {
  email: [
    { name: 'from', label: 'From', note: 'Address that the mails are sent from.' },
    { name: 'to', label: 'To', kind: 'lines', note: 'Mail addresses, one a line.' },
  ],
  // The value of a variable is never entered or shown.
  webhook: [
    {
      name: 'url',
      label: 'Environment variable with the address',
      kind: 'variable',
      note: 'The variable’s name, never the address, which is as secret as a password.',
    },
    {
      name: 'secret',
      label: 'Environment variable with the key of the signature',
      kind: 'variable',
      note: 'Empty: requests aren’t signed.',
    },
    { name: 'shape', label: 'Sent as', choices: choicesIn({ '': 'JSON', slack: 'Slack', teams: 'Teams' }) },
  ],
};

const NAME: SettingField = { name: 'name', label: 'Name', isRequired: true, note: 'Such as operations.' };

const HOST: SettingField = {
  name: 'host',
  label: 'Mail server',
  note: 'Such as mail.example.com. One with a password is set up in registrar.yaml.',
};

/** Where notifications go: a channel by its name, or `new?way=email`. */
export const CHANNEL_PAGE: Page = {
  ...settingsPageOf('/settings/channels/:channel', (visit) => {
    const { channel = '' } = visit.params;
    const { query } = visit.address;
    const file = readConfigFile(visit);
    const isNew = channel === 'new' && query.way !== undefined;
    const at = [...CHANNELS, isNew ? listAt(file, CHANNELS).length : entryIndex(file, CHANNELS, channel)];
    const way = (['email', 'webhook'] as const).find((one) =>
      isNew ? query.way === one : valueAt(file, [...at, one]) !== undefined,
    );
    const fields = way === undefined ? [] : [...(isNew && way === 'email' ? [HOST] : []), ...WAYS[way]];
    return {
      title: isNew ? 'Add notifications' : `Notifications by ${channel}`,
      at,
      settings: 'alerts.channels[]',
      groups: [
        {
          fields: [
            ...(isNew ? [NAME] : []),
            ...fields.map((field) => ({ ...field, path: [String(way), field.name] })),
          ],
          note: 'Change anything else about it in registrar.yaml.',
        },
      ],
      ...(isNew ? { kept: { way: query.way ?? '' } } : { below: testForm(visit, channel) }),
    };
  }),
  forms: {
    async test(visit) {
      const { channel: name = '' } = visit.params;
      const stop = AbortSignal.timeout(MAX_TEST_MS);
      const [tried] = await testChannels(visit.actionContext(), name, stop);
      const error = tried?.error ?? null;
      return {
        page: {
          title: error === null ? 'The test was sent' : 'The test was not sent',
          section: '/settings',
          content: html`<p class="notice ${error === null ? 'good' : 'bad'}" role="status">${error === null ? `${name} received the test.` : `${name}: ${error}`}</p>
<p><a href="/settings">Settings</a></p>`,
        },
      };
    },
  },
};

const MAX_TEST_MS = 60_000;

function testForm(visit: Visit, channel: string): Html {
  return sectionOf('test', 'Test')`
<form method="post" action="/settings/channels/${encodeURIComponent(channel)}/test">${formToken(visit)}
<p class="note">It goes to all recipients of this channel.</p>
<p class="buttons"><button class="second-choice">Send a test</button></p></form>`;
}
