import { expect, it } from 'vitest';
import { configSchema } from '../../../../src/config/schema.js';
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

it.each(['operator', 'auditor', 'viewer'] as const)(
  'a %s sees no secret, no person, and nothing that gives access',
  async (role) => {
    const { console: _, ...config } = MARKED;
    const { as } = await peopledConsole(actionContext(testLedger(), config));
    const { status, markup } = await read(await (await as(role)).get('/settings'));
    expect(status).toBe(200);
    expect(markup).not.toContain(MARKER);
    expect(markup).not.toContain('quimby');
  },
);

it('the page says how rows are read and sent, and names its versions', async () => {
  const { console: _, ...config } = MARKED;
  const { as } = await peopledConsole(actionContext(testLedger(), config));
  const { text } = await read(await (await as('viewer')).get('/settings'));
  expect(text).toContain(`Node.js ${process.versions.node}`);
  expect(text).toMatch(/academy.*operation submit-completion/);
  expect(text).toMatch(/main.*quota 55 per 1m/);
});
