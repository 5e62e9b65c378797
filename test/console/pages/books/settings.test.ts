import { expect, it } from 'vitest';
import { configReference } from '../../../../src/config/reference.js';
import { configSchema } from '../../../../src/config/schema.js';
import { shownSettings } from '../../../../src/config/shown-settings.js';
import { masked } from '../../../../src/report/words/masked.js';
import { actionContext } from '../../../support/action-context.js';
import { peopledConsole, read } from '../../../support/peopled-console.js';
import { testLedger } from '../../../support/staged-ledger.js';

const MARKER = 'MARKED0secret';
const PERSON = 'zacharias.quimby@northwind.example';

/** Every place of registrar.yaml with a secret, or with what gives access, marked; people beside it. */
const MARKED = configSchema.parse({
  environments: {
    main: {
      baseUrl: 'https://platform.example',
      authUrl: 'https://login.platform.example',
      clientId: `id-${MARKER}`,
      clientSecret: MARKER,
      quota: { requests: 55 },
      deadline: '30s',
    },
  },
  sources: [
    {
      name: 'academy',
      operation: 'submit-completion',
      environment: 'main',
      stableFor: '7s',
      columns: { 'user-id': 'Email' },
      defaults: { 'user-id': PERSON },
    },
  ],
  monitor: { pings: [{ url: `https://hc.example/${MARKER}`, start: `https://hc.example/${MARKER}/s` }] },
  alerts: {
    channels: [
      {
        name: 'mail',
        email: { host: 'mail.example', user: `u-${MARKER}`, password: MARKER, from: PERSON, to: [PERSON] },
      },
      { name: 'hook', webhook: { url: `https://hooks.example/${MARKER}`, secret: MARKER } },
      { name: 'program', command: ['notify', `--token=${MARKER}`] },
    ],
  },
  console: {
    oidc: { issuer: 'https://id.example', clientId: MARKER, clientSecret: MARKER },
    roles: { operator: [PERSON] },
  },
});

it('no secret is on any page of the settings, and nothing that gives access', async () => {
  const { console: _, ...config } = MARKED;
  const { as } = await peopledConsole(actionContext(testLedger(), config));
  const auditor = await as('auditor');
  const parts = shownSettings(MARKED).map(({ name }) => name);
  expect(parts).toEqual(
    expect.arrayContaining(['environments: main', 'sources: academy', 'alerts', 'console']),
  );
  for (const part of parts) {
    const { status, markup } = await read(await auditor.get(`/settings?${new URLSearchParams({ part })}`));
    expect([part, status]).toEqual([part, 200]);
    expect(markup).not.toContain(MARKER);
    expect(markup).not.toContain('scrypt:');
    expect(markup.length).toBeLessThan(100_000);
    expect(markup).toContain(`<option value="${part}" selected>`);
    expect(markup).not.toContain('>any<');
  }
  expect(JSON.stringify(shownSettings(MARKED))).not.toContain(MARKER);
});

it('what is hidden is said to be set', () => {
  const hidden = shownSettings(MARKED).flatMap(({ settings }) =>
    settings.filter(({ isHidden }) => isHidden).map(({ key }) => key),
  );
  expect(hidden).toEqual(
    expect.arrayContaining([
      'environments.main.clientSecret',
      'alerts.channels[1].webhook.url',
      'alerts.channels[2].command',
    ]),
  );
});

it('each text that a setting may hold is hidden unless its key is known to be open', () => {
  // Whatever stands in a key whose values aren't choices, times or numbers is replaced by the marker.
  const poisoned = (value: unknown): unknown => {
    if (typeof value === 'string') return MARKER;
    if (Array.isArray(value)) return value.map(poisoned);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, poisoned(one)]));
  };
  const shown = shownSettings(poisoned(MARKED) as typeof MARKED)
    .flatMap(({ settings }) => settings)
    .filter(({ value, people }) => (value ?? people)?.includes(MARKER))
    .map(({ key }) => key);
  expect(
    shown.filter((key) =>
      /secret|password|token|(?<!base|auth)url$|user$|clientId|command|start|fail/i.test(key),
    ),
  ).toEqual([]);
});

it('a viewer sees no name of people or groups', async () => {
  const own = JSON.stringify(masked(shownSettings(MARKED)));
  expect(own).not.toContain('quimby');
  expect(JSON.stringify(shownSettings(MARKED))).toContain('quimby');
});

it('a value stands beside its default, in the words of the file', () => {
  const all = shownSettings(MARKED).flatMap(({ settings }) => settings);
  const of = (key: string) => all.find((one) => one.key === key);
  expect(of('environments.main.quota.requests')).toMatchObject({
    value: '55',
    default: '70',
    isDefault: false,
  });
  expect(of('environments.main.deadline')).toMatchObject({ value: '30s', default: '30s', isDefault: true });
  expect(of('sources[0].stableFor')).toMatchObject({ value: '7s', default: '2s', isDefault: false });
  expect(of('sources[0].largestFile')).toMatchObject({ isDefault: true });
  expect(of('sources[0].timeZone')).toMatchObject({ value: null, isHidden: false });
  expect(of('sources[0].columns.user-id')).toMatchObject({ value: 'Email' });
  const known = new Set(configReference().map(({ meaning }) => meaning));
  expect(all.filter(({ meaning }) => !known.has(meaning))).toEqual([]);
});

it('the page names its versions', async () => {
  const { as } = await peopledConsole(actionContext(testLedger()));
  const { text } = await read(await (await as('viewer')).get('/settings'));
  expect(text).toContain(`Node.js ${process.versions.node}`);
  expect(text).toContain('nor are names of people and groups');
});
