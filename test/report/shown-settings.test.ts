import { expect, it } from 'vitest';
import { configSchema } from '../../src/config/schema.js';
import { shownSettings } from '../../src/report/shown-settings.js';

const SECRETS = [
  's3cret-of-client',
  'client-id-1',
  'pa55word',
  'hook-path',
  'signing-key',
  'ping-path',
  'mail-user',
];

const config = configSchema.parse({
  environments: {
    main: {
      baseUrl: 'https://platform.example/api',
      authUrl: 'https://login.platform.example',
      clientId: 'client-id-1',
      clientSecret: 's3cret-of-client',
      deadline: '20s',
    },
  },
  sources: [
    { name: 'academy', operation: 'submit-completion', environment: 'main', timeZone: 'Europe/Berlin' },
  ],
  alerts: {
    channels: [
      {
        name: 'mail',
        email: {
          host: 'mail.example',
          user: 'mail-user',
          password: 'pa55word',
          from: 'a@registrar.example',
          to: ['b@registrar.example'],
        },
      },
      { name: 'chat', webhook: { url: 'https://hooks.example/hook-path', secret: 'signing-key' } },
      { name: 'pager', command: ['/usr/bin/page', '--key', 's3cret-of-client'] },
    ],
  },
  monitor: { pings: [{ job: 'run', url: 'https://ping.example/ping-path' }] },
});

it('settings are shown by the names of registrar.yaml, with units', () => {
  const shown = new Map(shownSettings(config).map(({ path, value }) => [path, value]));
  expect(shown.get('environments.main.baseUrl')).toBe('https://platform.example/api');
  expect(shown.get('environments.main.quota.requests')).toBe('70');
  expect(shown.get('environments.main.deadline')).toBe('20s');
  expect(shown.get('sources[0].timeZone')).toBe('Europe/Berlin');
  expect(shown.get('alerts.channels[1].webhook.url')).toBe('https://hooks.example');
});

it('nothing that gives access is among them', () => {
  const text = JSON.stringify(shownSettings(config));
  expect(SECRETS.filter((secret) => text.includes(secret))).toEqual([]);
  const shown = shownSettings(config).find(({ path }) => path === 'environments.main.clientSecret');
  expect(shown).toEqual({ path: 'environments.main.clientSecret', value: null });
});
