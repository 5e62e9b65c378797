import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { csvOf, exportRows } from '../support/exports.js';
import { type GnuPg, gnuPg } from '../support/gnupg.js';
import { type TestWorkspace, testWorkspace } from '../support/workspace.js';
import { writeZip } from '../support/write-zip.js';

export const csv = (count: number, from = 0) => csvOf(exportRows(count, from));

type Algorithm = 'rsa2048' | 'future-default';

/** A key ring with keys of a reader, of its sender and of a stranger, made once for all tests. */
export function keyRing(algorithm: Algorithm): GnuPg {
  const made = rings.get(algorithm);
  if (made !== undefined) return made;
  const gpg = gnuPg((remove) => removals.push(remove));
  rings.set(algorithm, gpg);
  gpg.makeKey('reader', algorithm);
  gpg.makeKey('sender', algorithm === 'rsa2048' ? algorithm : 'ed25519');
  gpg.makeKey('other', algorithm);
  return gpg;
}

export const PASSPHRASE = 'open sesame';

/** A key ring whose key of a reader has a passphrase, made once as well. */
export function lockedRing(): GnuPg {
  const made = rings.get(PASSPHRASE);
  if (made !== undefined) return made;
  const gpg = gnuPg((remove) => removals.push(remove));
  rings.set(PASSPHRASE, gpg);
  gpg.makeKey('reader', 'future-default', PASSPHRASE);
  return gpg;
}

const rings = new Map<string, GnuPg>();

const removals: (() => void)[] = [];

/** Removes the key rings once the tests of the calling file have ended. */
export function removeKeyRings(): void {
  afterAll(() => {
    rings.clear();
    for (const remove of removals.splice(0)) remove();
  });
}

export const workspaceWith = (decrypt: object | undefined, env: Readonly<Record<string, string>> = {}) =>
  testWorkspace({ sources: { academy: { decrypt }, campus: {} }, env });

/** Drops files, each of which is refused with its sentence. */
export async function expectRefused(
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

/** The tests of files that GnuPG has encrypted with keys of one algorithm. */
export function testEncryptedFiles(algorithm: Algorithm): void {
  describe(`files that GnuPG has encrypted with ${algorithm}`, { tags: ['gpg'] }, () => {
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
      // A person may inspect one like any file.
      const file = join(workspace.root, 'signed.pgp');
      writeFileSync(file, files['signed.csv.pgp']);
      const inspected = await workspace.cli('inspect', file, '--source', 'academy');
      expect([inspected.code, inspected.stdout]).toEqual([
        0,
        expect.stringContaining('learner3@example.org'),
      ]);
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
      await expectRefused(workspace, {
        'unsigned.pgp': [gpg.encrypt(csv(2, 2), { to: 'reader' }), 'the file is not signed'],
        'other.pgp': [
          gpg.encrypt(csv(2, 4), { to: 'reader', by: 'other' }),
          'the file is not signed with a key in verifyWith',
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
        'other.pgp': [gpg.encrypt(csv(2), { to: 'other' }), 'the file is encrypted for a key other than'],
        'twice.pgp': [gpg.encrypt(whole, { to: 'reader' }), 'the file in it is itself an archive'],
      });
      expect(workspace.states()).toEqual({});
    });
  });
}
