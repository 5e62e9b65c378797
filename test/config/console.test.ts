import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { ConfigError } from '../../src/config/config-error.js';
import { loadConfig } from '../../src/config/load-config.js';
import { document, fencesOf } from '../support/markdown.js';
import { tempFolder } from '../support/temp-folder.js';

const REST = `environments:
  main: { baseUrl: https://platform.example, authUrl: https://login.example, clientId: x, clientSecret: "\${SECRET}" }
sources: [{ name: academy, operation: submit-completion, environment: main }]
`;
const ENV = { SECRET: 's', OIDC: 'kept' };
const HASH = `scrypt:32768:8:1:${'A'.repeat(22)}:${'B'.repeat(43)}`;
const ANNA = `{ name: anna, role: operator, password: "${HASH}" }`;
const PROXY = 'addresses: [10.0.0.5], userHeader: X-Forwarded-User';
const OIDC = 'issuer: https://id.example, clientId: registrar, clientSecret: "${OIDC}"';

function load(settings: string, folder = tempFolder(), env: Readonly<Record<string, string>> = ENV) {
  writeFileSync(join(folder, 'registrar.yaml'), `${REST}console: { ${settings} }\n`);
  return loadConfig(folder, env);
}

function mistakes(settings: string, folder = tempFolder()): readonly string[] {
  try {
    load(settings, folder);
    return [];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.mistakes.map((text) => text.replace(/^registrar\.yaml:\d+: /, ''));
  }
}

function withCertificates(): string {
  const folder = tempFolder();
  for (const name of ['platform.pem', 'platform.key.pem', 'other.key.pem', 'authority.pem'])
    copyFileSync(fileURLToPath(new URL(`../support/tls/${name}`, import.meta.url)), join(folder, name));
  return folder;
}

it('all settings are optional: without users there is no sign-in, and an unlisted person sees nothing', () => {
  const { console } = load('').config;
  expect(console).toEqual({
    users: [],
    roles: { operator: [], auditor: [], viewer: [], others: 'none' },
    session: { idleMs: 3_600_000, longestMs: 43_200_000 },
    largestUploadBytes: 1e9,
  });
});

it('every setting of the console is read', () => {
  const folder = withCertificates();
  const { config, warnings } = load(
    `listen: 0.0.0.0:8480, url: https://registrar.example/, tls: { certFile: platform.pem, keyFile: platform.key.pem },
     users: [${ANNA}], proxy: { ${PROXY}, rolesHeader: X-Forwarded-Groups }, oidc: { ${OIDC}, caFile: authority.pem },
     roles: { operator: [ada@example.com, "group:ops"], others: viewer }, session: { idle: 10m }`,
    folder,
  );
  expect(warnings).toEqual([]);
  expect(config.console).toMatchObject({
    url: 'https://registrar.example',
    tls: { certFile: join(folder, 'platform.pem'), keyFile: join(folder, 'platform.key.pem') },
    oidc: {
      clientSecret: 'kept',
      scopes: ['openid', 'email'],
      nameClaim: 'email',
      caFile: join(folder, 'authority.pem'),
    },
    session: { idleMs: 600_000 },
  });
});

it('a secret of the provider may be in a file', () => {
  const folder = tempFolder();
  writeFileSync(join(folder, 'secret'), 'from the file\n', { mode: 0o600 });
  const { config } = load(
    'oidc: { issuer: https://id.example, clientId: r, clientSecretFile: secret }',
    folder,
  );
  expect(config.console.oidc?.clientSecret).toBe('from the file');
});

it('commands that call no platform work before the secrets and files of the pages exist', () => {
  const folder = tempFolder();
  const settings = `oidc: { issuer: "\${ISSUER}", clientId: "\${ID}", clientSecret: "\${OIDC}" }, url: "\${URL}", tls: { certFile: a, keyFile: b }`;
  writeFileSync(join(folder, 'registrar.yaml'), `${REST}console: { ${settings} }\n`);
  expect(loadConfig(folder, {}, 'unused').config.console.oidc?.label).toBe('Single sign-on');
});

it.each([
  [
    'oidc: { issuer: https://id.example, clientId: r, clientSecret: hunter2 }',
    `console.oidc.clientSecret must be a reference such as \${REGISTRAR_SECRET}`,
  ],
  [
    'oidc: { issuer: https://id.example, clientId: r }',
    'console.oidc.clientSecret is missing: a reference to an environment variable',
  ],
  [
    `oidc: { ${OIDC}, clientSecretFile: x }`,
    'console.oidc.clientSecretFile "x" can’t be combined with clientSecret',
  ],
  [`oidc: { ${OIDC}, scopes: [email] }`, 'console.oidc.scopes must have openid'],
  [
    `oidc: { ${OIDC.replace('https', 'http')} }`,
    'console.oidc.issuer "http://id.example" must begin with https',
  ],
  [`oidc: { ${OIDC}, caFile: none.pem }`, 'console.oidc.caFile "none.pem" cannot be read'],
  [
    `users: [${ANNA}, ${ANNA.replace('anna', 'Anna')}]`,
    'console.users[1].name "Anna" is already the name of another user (case is ignored)',
  ],
  [
    `users: [{ name: "an na", role: viewer, password: "${HASH}" }]`,
    'console.users[0].name "an na" is not a valid name',
  ],
  [
    `users: [${ANNA.replace('operator', 'operater')}]`,
    'console.users[0].role "operater" is not known here; did',
  ],
  [
    'users: [{ name: a, role: viewer, password: hunter2 }]',
    'console.users[0].password is not a password hash',
  ],
  ['users: [{ name: a, role: viewer, password: 123456 }]', 'console.users[0].password is a number to YAML'],
  [
    'users: [{ name: a, role: viewer }]',
    'console.users[0].password is missing: hash that registrar user hash',
  ],
  ['proxy: { userHeader: X-User }', 'console.proxy.addresses is missing: IP addresses or ranges'],
  ['proxy: { addresses: [], userHeader: X-User }', 'console.proxy.addresses must have at least 1 entry'],
  [
    'proxy: { addresses: [proxy.example], userHeader: X-User }',
    'console.proxy.addresses[0] "proxy.example" is not an IP address',
  ],
  [
    'proxy: { addresses: [10.0.0.0/33], userHeader: X-User }',
    'console.proxy.addresses[0] "10.0.0.0/33" is not',
  ],
  [
    'proxy: { addresses: ["::/0"], userHeader: X-User }',
    'console.proxy.addresses[0] "::/0" names every machine',
  ],
  [
    'proxy: { addresses: [10.0.0.5], userHeader: "X User" }',
    'console.proxy.userHeader "X User" is not the name',
  ],
  ['url: ftp://registrar.example', 'console.url "ftp://registrar.example" must begin with https://'],
  [
    'url: http://registrar.example',
    'console.url "http://registrar.example" must begin with https://; plain http',
  ],
  ['url: https://registrar.example/console', 'console.url "https://registrar.example/console" has a path'],
  ['url: registrar', 'console.url "registrar" is not an address such as https://registrar.example'],
  ['tls: { certFile: platform.pem }', 'console.tls.keyFile is missing: file with its private key'],
  [
    'tls: { certFile: none.pem, keyFile: platform.key.pem }',
    'console.tls.certFile "none.pem" cannot be read',
  ],
  [
    'tls: { certFile: platform.key.pem, keyFile: platform.key.pem }',
    'console.tls.certFile "platform.key.pem" holds no',
  ],
  [
    'tls: { certFile: platform.pem, keyFile: platform.pem }',
    'console.tls.keyFile "platform.pem" holds no private key',
  ],
  [
    'tls: { certFile: platform.pem, keyFile: other.key.pem }',
    'console.tls.keyFile "other.key.pem" is not the key',
  ],
  ['listen: 8480', 'console.listen'],
  [
    `listen: 0.0.0.0:8480, users: [${ANNA}]`,
    'console.url is missing: address where browsers reach the console',
  ],
  [
    'listen: 0.0.0.0:8480, url: https://registrar.example',
    'console.listen "0.0.0.0:8480" is reachable from other machines, without a sign-in',
  ],
  ['largestUpload: 5 GB', 'console.largestUpload "5 GB" is not a size such as'],
])('%s is refused', (settings, mistake) => {
  const found = mistakes(settings, withCertificates());
  expect(found).toEqual([expect.stringContaining(mistake)]);
  expect(found.join('\n')).not.toMatch(/hunter2|123456/);
});

it.each(['127.0.0.1:0', '[::1]:8480', 'localhost:8480'])(
  '%s is reached from this machine alone',
  (listen) => {
    expect(mistakes(`listen: "${listen}"`)).toEqual([]);
  },
);

it.each(['docs/console.md', 'docs/deploy.md'])('the examples of %s load, without a warning', (path) => {
  const examples = fencesOf(document(path), 'yaml').filter((text) => text.startsWith('console:'));
  expect(examples).not.toHaveLength(0);
  for (const example of examples) {
    const folder = withCertificates();
    writeFileSync(join(folder, 'oidc-secret'), 'kept', { mode: 0o600 });
    const own = example
      .replace('/etc/registrar/tls.pem', 'platform.pem')
      .replace('/etc/registrar/tls.key', 'platform.key.pem')
      .replace('/etc/registrar/', '');
    // Users are added by a command, and so are in no example.
    const people = /^ {2}(proxy|oidc):/m.test(own) ? '' : `  users: [${ANNA}]\n`;
    writeFileSync(join(folder, 'registrar.yaml'), REST + own + people);
    const { config, warnings } = loadConfig(folder, { ...ENV, REGISTRAR_OIDC_SECRET: 'kept' });
    expect(warnings).toEqual([]);
    expect(config.console.url).toMatch(/^https:/);
  }
});
