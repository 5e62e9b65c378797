import { tryChannels } from '../../../actions/alerts/try-channels.js';
import type { YamlEdit } from '../../../config/yaml/edit-yaml.js';
import { variable } from '../../../config/yaml/yaml-writer.js';
import { OperatorError } from '../../../domain/operator-error.js';
import { html } from '../../../report/page/html.js';
import type { Visit } from '../../visits/visit.js';
import type { ConsoleContext } from '../../work/console-context.js';
import { type Page, sectionOf } from '../page.js';
import { choiceField, formToken, linesField, textField } from '../parts/fields.js';
import { type SettingsDoor, settingsPageOf } from './change.js';
import { entryNamed, linesEdit, readWritten, shownIn, textEdit, written, writtenList } from './written.js';

/** As the documents name their settings. */
const EMAIL = 'alerts.channels[].email';
const WEBHOOK = 'alerts.channels[].webhook';

const CHANNELS = ['alerts', 'channels'] as const;

/** The value of a variable is never entered or shown, only its name; and none is sent to a server that was entered here. */
const WEBHOOK_VARIABLES = [
  ['url', 'Environment variable with the address', 'Its name, never the address, which is enough to post.'],
  ['secret', 'Environment variable with the key of the signature', 'Empty: messages aren’t signed.'],
] as const;

const SHAPES = [
  { value: 'json', label: 'JSON' },
  { value: 'slack', label: 'Slack' },
  { value: 'teams', label: 'Teams' },
];

/** Where notifications go: a new mail address or webhook, or one that is there. */
const door: SettingsDoor = {
  path: '/settings/channels/:channel',
  title: (visit, context) => {
    const { isNew, way } = channelOf(visit, context);
    const kind = way === 'webhook' ? 'webhook' : 'mail';
    return isNew ? `Add a notification by ${kind}` : `Notifications by ${visit.params.channel}`;
  },
  fields(visit, context) {
    const { isNew, way, at } = channelOf(visit, context);
    return html`${isNew ? textField({ name: 'name', label: 'Name', value: shownIn(visit, 'name', ''), isRequired: true, note: 'Such as operations.' }) : ''}
<input type="hidden" name="way" value="${way}">
${
  way === 'email'
    ? html`${isNew && mailServer(context) === null ? textField({ name: 'host', label: 'Mail server', value: shownIn(visit, 'host', ''), setting: `${EMAIL}.host`, note: 'Such as mail.example.com. One with a password is set up in registrar.yaml.' }) : ''}
${textField({ name: 'from', label: 'From', value: shownIn(visit, 'from', at('from')), setting: `${EMAIL}.from`, note: 'Mail address of the sender.' })}
${linesField({ name: 'to', label: 'To', value: shownIn(visit, 'to', at('to')), setting: `${EMAIL}.to`, note: 'Mail addresses, one a line.' })}
<p class="note">${isNew && mailServer(context) === null ? '' : 'The mail server and its sign-in are those of registrar.yaml.'}</p>`
    : way === 'webhook'
      ? html`${WEBHOOK_VARIABLES.map(([name, label, note]) => textField({ name, label, note, value: shownIn(visit, name, variableIn(at(name))), setting: `${WEBHOOK}.${name}` }))}
${choiceField({ name: 'shape', label: 'Sent as', value: shownIn(visit, 'shape', at('shape') ?? 'json'), setting: `${WEBHOOK}.shape` }, SHAPES)}`
      : html`<p class="note">A channel that writes a file or starts a program is changed in registrar.yaml alone.</p>`
}`;
  },
  edits(visit, context): readonly YamlEdit[] {
    const { path, way, isNew, at } = channelOf(visit, context);
    const edits = [
      ...(way === 'email'
        ? [
            ...(isNew && mailServer(context) === null ? textEdit(visit, 'host', ['host'], undefined) : []),
            ...textEdit(visit, 'from', ['from'], at('from')),
            ...linesEdit(visit, 'to', ['to'], at('to')),
          ]
        : []),
      ...(way === 'webhook'
        ? [
            ...WEBHOOK_VARIABLES.flatMap(([name]) => variableEdit(visit, name, at(name))),
            ...textEdit(visit, 'shape', ['shape'], at('shape') ?? 'json'),
          ]
        : []),
    ];
    if (!isNew) return edits.map(({ path: key, value }) => ({ path: [...path, way, ...key], value }));
    // The recipients come one by one.
    const to = edits.flatMap(({ path: [key], value }) => (key === 'to' ? [value] : []));
    const facts = {
      ...Object.fromEntries(edits.map(({ path: [key], value }) => [key, value])),
      ...(to.length === 0 ? {} : { to }),
    };
    const server = way === 'email' ? (mailServer(context) ?? {}) : {};
    return [
      { path, value: { name: (visit.address.query.name ?? '').trim(), [way]: { ...server, ...facts } } },
    ];
  },
  more(visit, context) {
    if (channelOf(visit, context).isNew) return html``;
    const { channel: name = '' } = visit.params;
    return sectionOf('test', 'Test')`
<form method="post" action="/settings/channels/${encodeURIComponent(name)}/test">${formToken(visit)}
<p class="note">It goes to all recipients of this channel.</p>
<p class="buttons"><button class="second-choice">Send a test</button></p></form>`;
  },
};

export const TEST_CHANNEL_FORM: Page = {
  path: '/settings/channels/:channel/test',
  async submit({ params: { channel: name = '' } }, _fields, context) {
    const stop = AbortSignal.timeout(LONGEST_TEST_MS);
    const [tried] = await tryChannels(context.actionContext(), name, stop);
    const error = tried?.error ?? null;
    return {
      shown: {
        title: error === null ? 'The test was sent' : 'The test was not sent',
        section: '/settings',
        content: html`<p class="notice ${error === null ? 'good' : 'bad'}" role="status">${error === null ? `${name} received the test.` : `${name}: ${error}`}</p>
<p><a href="/settings">Settings</a></p>`,
      },
    };
  },
};

const LONGEST_TEST_MS = 60_000;

export const CHANNEL_PAGE = settingsPageOf(door);

/** `/settings/channels/new?way=email` is a new one. */
function channelOf({ params: { channel: name = '' }, address: { query } }: Visit, context: ConsoleContext) {
  const file = readWritten(context);
  const isNew = name === 'new' && query.way !== undefined;
  const index = isNew ? writtenList(file, CHANNELS).length : entryNamed(file, CHANNELS, name);
  const path = [...CHANNELS, index];
  const now = (isNew ? {} : written(file, path)) as Readonly<Record<string, unknown>>;
  const way = isNew
    ? query.way === 'webhook'
      ? 'webhook'
      : 'email'
    : (WAYS.find((one) => one in now) ?? 'file');
  return { path, way, isNew, at: (key: string) => written(file, [...path, way, key]) };
}

/** The server of the first mail channel of registrar.yaml, with its sign-in by reference; null: there is none. */
function mailServer(context: ConsoleContext): Readonly<Record<string, unknown>> | null {
  const mails = writtenList(readWritten(context), CHANNELS).flatMap(
    (channel) => (channel as { email?: object }).email ?? [],
  );
  if (mails[0] === undefined) return null;
  const server = Object.entries(mails[0]).filter(([key]) => !['from', 'to'].includes(key));
  return Object.fromEntries(
    server.map(([key, value]) => [key, variableIn(value) === '' ? value : variable(variableIn(value))]),
  );
}

const WAYS = ['email', 'webhook', 'file', 'command'] as const;

const REFERENCE = /^\$\{([A-Za-z_][A-Za-z0-9_]*)\}$/;

/** The name of a variable; '' for anything else, which is never shown. */
function variableIn(value: unknown): string {
  return REFERENCE.exec(String(value ?? ''))?.[1] ?? '';
}

function variableEdit({ address: { query } }: Visit, name: string, now: unknown): YamlEdit[] {
  const entered = query[name]?.trim();
  if (entered === undefined || entered === variableIn(now)) return [];
  if (entered !== '' && !REFERENCE.test(`\${${entered}}`)) {
    throw new OperatorError({
      operation: 'change registrar.yaml',
      subject: name,
      message: 'what was entered is not the name of an environment variable',
      hint: 'Enter a name such as OPERATIONS_WEBHOOK, never the value itself.',
    });
  }
  return [{ path: [name], value: entered === '' ? undefined : variable(entered) }];
}
