import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** GnuPG with a key ring of its own, removed at the end. */
export interface GnuPg {
  /** Makes a key. @param algorithm as GnuPG names it, such as rsa2048. */
  makeKey(name: string, algorithm: string, passphrase?: string): void;
  /** Writes a key into a file. */
  privateKey(name: string, passphrase?: string): string;
  publicKey(name: string, options?: readonly string[]): string;
  /** Encrypts for a key, signed by another one where that is named. */
  encrypt(
    content: string | Buffer,
    how: { readonly to: string; readonly by?: string; readonly options?: readonly string[] },
  ): Buffer;
  /** Signs, and doesn't encrypt. */
  sign(content: string | Buffer, by: string): Buffer;
}

/** @param atEnd when it goes: with the test, or with all that share it. */
export function gnuPg(atEnd: (remove: () => void) => void = onTestFinished): GnuPg {
  // The path of a socket in it must be short.
  const home = mkdtempSync(join(tmpdir(), 'gpg-'));
  // By default GnuPG hashes a passphrase for as long as a tenth of a second takes on an idle machine, and here seconds.
  writeFileSync(join(home, 'gpg-agent.conf'), 's2k-count 65536\n');
  const files = mkdtempSync(join(tmpdir(), 'registrar-'));
  atEnd(() => {
    execFileSync('gpgconf', ['--homedir', home, '--kill', 'all']);
    for (const folder of [home, files]) rmSync(folder, { recursive: true, force: true });
  });
  const gpg = (args: readonly string[], input: string | Buffer = '', passphrase = '') =>
    execFileSync(
      'gpg',
      [
        ...['--homedir', home, '--batch', '--quiet', '--no-tty', '--trust-model', 'always'],
        ...['--pinentry-mode', 'loopback', '--passphrase', passphrase, ...args],
      ],
      { input, maxBuffer: 2 ** 30, stdio: ['pipe', 'pipe', 'ignore'] },
    );
  const fileOf = (name: string, bytes: Buffer) => {
    const path = join(files, name);
    writeFileSync(path, bytes, { mode: 0o600 });
    return path;
  };
  return {
    makeKey: (name, algorithm, passphrase) => {
      gpg(['--quick-generate-key', name, algorithm, 'default', 'never'], '', passphrase);
      // Of other algorithms GnuPG makes both keys at once.
      if (!algorithm.startsWith('rsa')) return;
      const listed = gpg(['--with-colons', '--list-keys', name]).toString();
      const print = /^fpr:+([0-9A-F]{40}):$/m.exec(listed)?.[1] ?? '';
      gpg(['--quick-add-key', print, algorithm, 'encr', 'never'], '', passphrase);
    },
    privateKey: (name, passphrase) =>
      fileOf(`${name}.key`, gpg(['--armor', '--export-secret-keys', name], '', passphrase)),
    publicKey: (name, options = ['--armor']) => fileOf(`${name}.pub`, gpg([...options, '--export', name])),
    encrypt: (content, { to, by, options = [] }) =>
      gpg(
        [
          ...options,
          '--recipient',
          to,
          ...(by === undefined ? [] : ['--sign', '--local-user', by]),
          '--encrypt',
        ],
        content,
      ),
    sign: (content, by) => gpg(['--local-user', by, '--sign'], content),
  };
}
