import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { setSources } from '../support/set-sources.js';
import { testWorkspace } from '../support/workspace.js';
import {
  csv,
  expectRefused,
  keyRing,
  lockedRing,
  PASSPHRASE,
  removeKeyRings,
  testEncryptedFiles,
  workspaceWith,
} from './pgp-setup.js';

removeKeyRings();

testEncryptedFiles('future-default');

describe('the key of a source', { tags: ['gpg'] }, () => {
  it('may come from the environment, with a passphrase; neither is shown', async () => {
    const gpg = lockedRing();
    const key = readFileSync(gpg.privateKey('reader', PASSPHRASE), 'utf8').trim();
    const workspace = await workspaceWith(
      { key: '${REGISTRAR_INBOX_KEY}', passphrase: '${REGISTRAR_INBOX_SECRET}' },
      { REGISTRAR_INBOX_KEY: key, REGISTRAR_INBOX_SECRET: PASSPHRASE },
    );
    workspace.drop('march.csv.pgp', gpg.encrypt(csv(2), { to: 'reader' }));
    const { code, stdout, stderr } = await workspace.run('--verbose');
    expect(code).toBe(0);
    expect(workspace.states()).toEqual({ accepted: 2 });
    for (const secret of [PASSPHRASE, 'PRIVATE KEY']) expect(stdout + stderr).not.toContain(secret);
  });

  it('that is missing or can not be used stops its source alone, whose files wait', async () => {
    const gpg = lockedRing();
    const keyFile = gpg.privateKey('reader', PASSPHRASE);
    const whole = { keyFile, passphrase: '${RIGHT}' };
    const cases: Readonly<Record<string, readonly [decrypt: object, sentence: string]>> = {
      missing: [{ keyFile: 'none.key' }, 'there is no such file'],
      public: [{ keyFile: gpg.publicKey('reader') }, 'holds no private PGP key'],
      'of-another-passphrase': [{ keyFile, passphrase: '${WRONG}' }, 'has another passphrase'],
      locked: [{ keyFile }, 'has a passphrase'],
      'without-its-senders': [{ ...whole, verifyWith: 'none.pub' }, 'verifyWith'],
    };
    const names = Object.keys(cases);
    const sources = Object.fromEntries(Object.entries(cases).map(([name, [decrypt]]) => [name, { decrypt }]));
    const workspace = await testWorkspace({
      sources: { ...sources, campus: {} },
      env: { WRONG: 'other', RIGHT: PASSPHRASE },
    });
    for (const [index, name] of names.entries()) {
      workspace.drop('march.csv.pgp', gpg.encrypt(csv(2, 2 * index), { to: 'reader' }), name);
    }
    workspace.drop('own.csv', csv(1, 50), 'campus');
    const { code, stderr } = await workspace.run();
    expect(code).toBe(2);
    const broken = (await workspace.cli('doctor', '--offline')).stdout;
    for (const [name, [, sentence]] of Object.entries(cases)) {
      const troubles = stderr.split('\n').filter((line) => line.includes(name));
      expect([name, troubles.join('\n')]).toEqual([name, expect.stringContaining(sentence)]);
      expect(broken).toMatch(new RegExp(`^broken +key +${name}: .*${sentence}`, 'm'));
    }
    expect(workspace.states()).toEqual({ accepted: 1 });
    setSources(workspace, { decrypt: whole });
    await workspace.run();
    expect(workspace.states()).toEqual({ accepted: 11 });
    const ok = (await workspace.cli('doctor', '--offline')).stdout;
    for (const name of names) expect(ok).toMatch(new RegExp(`^ok +key +${name}: `, 'm'));
  });

  it('is named where a file is encrypted and its source names none', async () => {
    const gpg = keyRing('future-default');
    const workspace = await workspaceWith(undefined);
    const content = gpg.encrypt(csv(2), { to: 'reader' });
    const sentence =
      'the file is encrypted with PGP, and its source names no key. Name the key in decrypt of the source';
    await expectRefused(workspace, { 'march.csv.pgp': [content, sentence] });
  });

  it('is one: neither none nor two, and never written into registrar.yaml', async () => {
    const workspace = await testWorkspace({
      sources: {
        none: { decrypt: { verifyWith: 'sender.pub' } },
        two: { decrypt: { keyFile: 'a.key', key: '${KEY}' } },
        written: { decrypt: { key: '-----BEGIN PGP PRIVATE KEY BLOCK-----' } },
      },
      env: { KEY: 'x' },
    });
    const { stderr } = await workspace.cli('status');
    expect(stderr).toContain('sources[0].decrypt.key is missing');
    expect(stderr).toMatch(/sources\[1\].* can’t be combined with key; keep one/);
    expect(stderr).toMatch(/sources\[2\].* must be a reference such as \$\{REGISTRAR_SECRET\}/);
  });
});
