import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { csvOf, exportRows } from '../support/exports.js';
import { type GnuPg, gnuPg } from '../support/gnupg.js';
import { sampled } from '../support/samples.js';
import { setSources } from '../support/set-sources.js';
import { type TestWorkspace, testWorkspace } from '../support/workspace.js';
import { writeZip } from '../support/write-zip.js';

const csv = (count: number, from = 0) => csvOf(exportRows(count, from));

const ALGORITHMS = sampled(['rsa2048', 'future-default'] as const);

/** A key ring with keys of a reader, of its sender and of a stranger, made once for all tests. */
function keyRing(algorithm: (typeof ALGORITHMS)[number]): GnuPg {
  const made = rings.get(algorithm);
  if (made !== undefined) return made;
  const gpg = gnuPg((remove) => removals.push(remove));
  rings.set(algorithm, gpg);
  gpg.makeKey('reader', algorithm);
  gpg.makeKey('sender', algorithm === 'rsa2048' ? algorithm : 'ed25519');
  gpg.makeKey('other', algorithm);
  return gpg;
}

const PASSPHRASE = 'open sesame';

/** A key ring whose key of a reader has a passphrase, made once as well. */
function lockedRing(): GnuPg {
  const made = rings.get(PASSPHRASE);
  if (made !== undefined) return made;
  const gpg = gnuPg((remove) => removals.push(remove));
  rings.set(PASSPHRASE, gpg);
  gpg.makeKey('reader', 'future-default', PASSPHRASE);
  return gpg;
}

const rings = new Map<string, GnuPg>();

const removals: (() => void)[] = [];
afterAll(() => {
  for (const remove of removals) remove();
});

const workspaceWith = (decrypt: object | undefined, env: Readonly<Record<string, string>> = {}) =>
  testWorkspace({ sources: { academy: { decrypt }, campus: {} }, env });

/** Drops files, each of which is refused with its sentence. */
async function expectRefused(
  workspace: TestWorkspace,
  files: Readonly<Record<string, readonly [content: Buffer, sentence: string]>>,
): Promise<void> {
  for (const [name, [content]] of Object.entries(files)) workspace.drop(name, content);
  const { code, report } = await workspace.run();
  expect(code).toBe(1);
  expect(workspace.files('processing')).toEqual([]);
  expect(Object.fromEntries(report.files.map(({ file, refusal }) => [file, refusal]))).toMatchObject(
    Object.fromEntries(
      Object.entries(files).map(([name, [, sentence]]) => [name, expect.stringContaining(sentence)]),
    ),
  );
}

describe.each(ALGORITHMS)('files that GnuPG has encrypted with %s', { tags: ['gpg'] }, (algorithm) => {
  it('are imported, signed or not, packed or not, armoured or not, and archived as they came', async () => {
    const gpg = keyRing(algorithm);
    const workspace = await workspaceWith({ keyFile: gpg.privateKey('reader') });
    const files = {
      'plain.csv.pgp': gpg.encrypt(csv(2), { to: 'reader' }),
      'signed.csv.pgp': gpg.encrypt(csv(2, 2), { to: 'reader', by: 'sender' }),
      'armoured.csv.gpg': gpg.encrypt(csv(2, 4), { to: 'reader', options: ['--armor'] }),
      'packed.csv.gz.pgp': gpg.encrypt(gzipSync(csv(2, 6)), { to: 'reader' }),
      'unpacked.pgp': gpg.encrypt(csv(2, 10), { to: 'reader', options: ['--compress-algo', 'none'] }),
      'archive.zip.pgp': gpg.encrypt(writeZip([{ name: 'a.csv', content: csv(2, 8) }]), { to: 'reader' }),
    };
    for (const [name, content] of Object.entries(files)) workspace.drop(name, content);
    const { code } = await workspace.run();
    expect(code).toBe(0);
    expect(workspace.states()).toEqual({ accepted: 12 });
    expect(workspace.files('processing')).toEqual([]);
    const archived = workspace
      .files('archive')
      .map((path) => readFileSync(join(workspace.root, 'archive', path)));
    expect(archived.map((bytes) => bytes.toString('hex')).sort()).toEqual(
      Object.values(files)
        .map((bytes) => bytes.toString('hex'))
        .sort(),
    );
    // A person may look at one as at any file.
    const file = join(workspace.root, 'signed.pgp');
    writeFileSync(file, files['signed.csv.pgp']);
    const inspected = await workspace.cli('inspect', file, '--source', 'academy');
    expect([inspected.code, inspected.stdout]).toEqual([0, expect.stringContaining('learner3@example.org')]);
    expect((await workspace.cli('inspect', file)).stderr).toContain('its source names no key');
    expect(workspace.files('processing')).toEqual([]);
    // The same export without its encryption is the same drop.
    workspace.drop('plain.csv', csv(2));
    expect((await workspace.run()).report.rows).toBe(0);
  });

  it('are imported only if the sender has signed them, where the source requires that', async () => {
    const gpg = keyRing(algorithm);
    const workspace = await workspaceWith({
      keyFile: gpg.privateKey('reader'),
      verifyWith: gpg.publicKey('sender'),
    });
    workspace.drop('good.pgp', gpg.encrypt(csv(2), { to: 'reader', by: 'sender' }));
    expect((await workspace.run()).code).toBe(0);
    expect(workspace.states()).toEqual({ accepted: 2 });
    await expectRefused(workspace, {
      'unsigned.pgp': [gpg.encrypt(csv(2, 2), { to: 'reader' }), 'the file is not signed'],
      'other.pgp': [
        gpg.encrypt(csv(2, 4), { to: 'reader', by: 'other' }),
        "the file's signature is none of a key in verifyWith",
      ],
      'plain.csv': [Buffer.from(csv(2, 6)), 'the file is not signed'],
      'signed.csv': [gpg.sign(csv(2, 8), 'sender'), 'the file is not signed'],
    });
    expect(workspace.states()).toEqual({ accepted: 2 });
  });

  it('are refused where they are cut, tampered with or for another key', async () => {
    const gpg = keyRing(algorithm);
    const workspace = await workspaceWith({ keyFile: gpg.privateKey('reader') });
    const whole = gpg.encrypt(csv(500), { to: 'reader' });
    const tampered = Buffer.from(whole);
    tampered[whole.length - 100] = (tampered[whole.length - 100] ?? 0) ^ 1;
    const damaged = "the file is cut off, damaged or was changed: it can't be decrypted";
    await expectRefused(workspace, {
      'cut.pgp': [whole.subarray(0, -1), damaged],
      'half.pgp': [whole.subarray(0, whole.length / 2), damaged],
      'head.pgp': [whole.subarray(0, 20), damaged],
      'tampered.pgp': [tampered, damaged],
      'other.pgp': [gpg.encrypt(csv(2), { to: 'other' }), 'the file is encrypted for another key'],
      'twice.pgp': [gpg.encrypt(whole, { to: 'reader' }), 'the file in it is an archive itself'],
    });
    expect(workspace.states()).toEqual({});
  });
});

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
    const none = await workspaceWith({ verifyWith: 'sender.pub' });
    expect((await none.cli('status')).stderr).toContain('sources[0].decrypt.key is missing');
    const two = await workspaceWith({ keyFile: 'a.key', key: '${KEY}' }, { KEY: 'x' });
    expect((await two.cli('status')).stderr).toContain('can’t be combined with key; keep one');
    const written = await workspaceWith({ key: '-----BEGIN PGP PRIVATE KEY BLOCK-----' });
    expect((await written.cli('status')).stderr).toContain('must be a reference such as ${REGISTRAR_SECRET}');
  });
});
