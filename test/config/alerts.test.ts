import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ConfigError } from '../../src/config/config-error.js';
import { loadConfig } from '../../src/config/load-config.js';
import { document, fencesOf } from '../support/markdown.js';
import { tempFolder } from '../support/temp-folder.js';

const REST = `environments:
  main: { baseUrl: https://platform.example, authUrl: https://login.example, clientId: x, clientSecret: "\${SECRET}" }
`;
const SOURCE = 'sources: [{ name: academy, operation: submit-completion, environment: main }]\n';
const ENV = {
  SECRET: 's',
  HOOK: 'https://hooks.example/x?sig=1',
  KEY: 'k',
  REGISTRAR_MAIL_PASSWORD: 'p',
  REGISTRAR_CHAT_URL: 'https://chat.example/1',
};

function load(yaml: string, env: Readonly<Record<string, string>> = ENV, folder = tempFolder()) {
  writeFileSync(join(folder, 'registrar.yaml'), REST + yaml);
  return loadConfig(folder, env);
}

function mistakes(yaml: string, env: Readonly<Record<string, string>> = ENV): readonly string[] {
  try {
    load(yaml, env);
    return [];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.mistakes.map((text) => text.replace(/^registrar\.yaml:\d+: /, ''));
  }
}

const channel = (settings: string) => `${SOURCE}alerts: { channels: [{ name: ops, ${settings} }] }\n`;

it.each([
  [
    'webhook: { url: https://hooks.example/T0/secret }',
    'alerts.channels[0].webhook.url must be a reference such as ${REGISTRAR_SECRET}',
  ],
  [
    'webhook: { url: "${HOOK}", secret: hunter2 }',
    'alerts.channels[0].webhook.secret must be a reference such as',
  ],
  [
    'email: { host: m, user: u, password: hunter2, from: a@b.c, to: [a@b.c] }',
    'alerts.channels[0].email.password must be a reference such as',
  ],
  [
    'webhook: { url: "${NONE}" }',
    'alerts.channels[0].webhook.url refers to the environment variable NONE, which is not set',
  ],
  [
    'webhook: { url: "${PLAIN}" }',
    'alerts.channels[0].webhook.url must begin with https://; plain http is only for this machine',
  ],
  ['webhook: {}', 'alerts.channels[0].webhook.url is missing'],
  ['webhook: { urlFile: nowhere }', 'alerts.channels[0].webhook.urlFile "nowhere" cannot be read'],
  ['file: a, command: [x]', 'alerts.channels[0].command must have one of email, webhook, file and command'],
  ['timeLimit: 3m, file: a', 'alerts.channels[0].timeLimit "3m" is longer than 2m'],
  ['details: "yes", file: a', 'alerts.channels[0].details'],
  [
    'file: a, only: [environmnt]',
    'alerts.channels[0].only[0] "environmnt" is not known here; did you mean environment?',
  ],
  [
    'email: { host: m, from: "Ops <a@b.c>", to: [a@b.c] }',
    'alerts.channels[0].email.from "Ops <a@b.c>" is not a plain mail address',
  ],
  ['email: { host: m, user: u, from: a@b.c, to: [a@b.c] }', 'alerts.channels[0].email.password is missing'],
])('%s is refused', (settings, mistake) => {
  const found = mistakes(channel(settings), { ...ENV, PLAIN: 'http://hooks.example/secret' });
  expect(found).toEqual([expect.stringContaining(mistake)]);
  expect(found.join()).not.toMatch(/hunter2|T0|\/secret/);
});

it('two channels of one name are refused, and a time without a zone', () => {
  expect(mistakes(`${SOURCE}alerts: { channels: [{ name: a, file: x }, { name: a, file: y }] }\n`)).toEqual([
    'alerts.channels[1].name "a" is already the name of another channel; choose another',
  ]);
  const expecting = (expected: string) => SOURCE.replace(' }]', `, expect: ${expected} }]`);
  expect(mistakes(expecting('{ by: 06:00 }'))).toEqual([
    expect.stringContaining('sources[0].expect.timeZone is missing: IANA zone of by'),
  ]);
  expect(mistakes(expecting('{ days: [mon] }'))).toEqual(['sources[0].expect must have either by or every']);
});

it('secrets may be in files, which are read as is', () => {
  const folder = tempFolder();
  for (const [name, text] of [
    ['url', 'https://hooks.example/x\n'],
    ['key', 'k\n'],
    ['password', 'p'],
  ]) {
    writeFileSync(join(folder, name ?? ''), text ?? '');
    chmodSync(join(folder, name ?? ''), 0o600);
  }
  const both = `${SOURCE}alerts:
  channels:
    - { name: hook, webhook: { urlFile: url, secretFile: key } }
    - { name: mail, email: { host: m, user: u, passwordFile: password, from: a@b.c, to: [a@b.c] } }
`;
  expect(load(both, ENV, folder).config.alerts.channels).toMatchObject([
    { webhook: { url: 'https://hooks.example/x', secret: 'k' } },
    { email: { password: 'p' } },
  ]);
});

it('a command that calls no platform needs no secret of alerts', () => {
  const folder = tempFolder();
  const settings = 'webhook: { url: "${HOOK}", secret: "${KEY}" }';
  writeFileSync(join(folder, 'registrar.yaml'), REST + channel(settings));
  expect(loadConfig(folder, {}, 'unused').config.alerts.channels).toHaveLength(1);
});

it('the examples of docs/alerts.md load', () => {
  const [alerts = '', sources = ''] = fencesOf(document('docs/alerts.md'), 'yaml');
  const whole = sources.replace(
    'name: academy',
    'name: academy\n    operation: submit-completion\n    environment: main\n    timeZone: Europe/Berlin',
  );
  const { config } = load(alerts + whole);
  expect(config.alerts.channels.map(({ name }) => name)).toEqual(['ops', 'chat', 'log']);
  expect(config.sources[0]?.expect?.by).toBe('06:00');
});
