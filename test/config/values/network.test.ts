import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../../src/config/load-config.js';
import { proxyMistake, proxySettings } from '../../../src/config/values/network/proxy.js';
import { AUTHORITY_FILE } from '../../support/tls-server.js';
import { CREDENTIALS, mistakesOf, sound, written } from '../written-config.js';

const CA_FILE = sound({ environment: ['caFile: authority.pem'] });

describe('caFile', () => {
  it('is relative to the workspace', () => {
    const folder = written(CA_FILE);
    cpSync(AUTHORITY_FILE, join(folder, 'authority.pem'));
    const { environments } = loadConfig(folder, CREDENTIALS).config;
    expect(environments.main?.caFile).toBe(join(folder, 'authority.pem'));
  });

  it.each<[string, string | null, RegExp]>([
    ['that is not there', null, /"authority\.pem" cannot be read: there is no such file/],
    [
      'that is binary',
      '\u0030\u0082',
      /"authority\.pem" holds no certificate in PEM form .*openssl x509 -inform der/,
    ],
    [
      'whose certificate is damaged',
      '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n',
      /holds a damaged certificate/,
    ],
    ['that holds a private key', '-----BEGIN PRIVATE KEY-----\n', /holds no certificate in PEM form/],
  ])('%s is a mistake of registrar.yaml, with its line', (_, content, mistake) => {
    const folder = written(CA_FILE);
    if (content !== null) writeFileSync(join(folder, 'authority.pem'), content, 'latin1');
    expect(() => loadConfig(folder, CREDENTIALS)).toThrow(mistake);
    expect(() => loadConfig(folder, CREDENTIALS)).toThrow('registrar.yaml:7: environments.main.caFile');
  });
});

it('a command that calls no platform checks neither the CA file nor the proxy', () => {
  const env = { HTTPS_PROXY: 'socks5://proxy.example' };
  expect(() => loadConfig(written(CA_FILE), env, 'unused')).not.toThrow();
});

describe('the proxy', () => {
  it.each(['socks5://proxy.example:1080', 'proxy.example:port', 'https://', 'http://user:hidden@:3128'])(
    'named by %s is a mistake that names the variable and not its value',
    (value) => {
      const env = { ...CREDENTIALS, HTTPS_PROXY: value };
      expect(mistakesOf(sound({}), env)).toEqual([
        expect.stringMatching(/^the environment variable HTTPS_PROXY is not the address of a proxy such as /),
      ]);
      expect(proxyMistake(env)).not.toContain('hidden');
      expect(proxySettings(env)).toBeNull();
    },
  );

  it('is no matter where all environments are of this machine', () => {
    const local = sound({}).replaceAll(/https:\/\/[\w.]+/g, 'http://127.0.0.1:8070');
    expect(mistakesOf(local, { ...CREDENTIALS, HTTPS_PROXY: 'socks5://proxy.example' })).toEqual([]);
  });
});
