import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { afterAll, onTestFinished } from 'vitest';
import { once } from '../../src/domain/process/once.js';
import { findProgram } from './find-program.js';
import { killTree } from './kill-tree.js';
import { answers, freePort } from './ports.js';
import { tempFolder } from './temp-folder.js';

/** An OpenSSH server on loopback with one account and a folder of its own; gone when the test ends. */
export interface SftpServer {
  readonly port: number;
  /** The folder that senders write to. */
  readonly folder: string;
  /** `inbox.sftp` of a source that reads it. */
  readonly settings: Readonly<Record<string, unknown>>;
  stop(): Promise<void>;
  /** Stops it with the sessions that are open. */
  kill(): void;
  start(): Promise<void>;
  /** Replaces the host key; the new one counts from the next start. */
  changeHostKey(): void;
}

/**
 * Starts a server.
 * @param isReadOnly the account may list and read alone.
 * @param home a folder for its keys, and out/ for its files.
 * @param atEnd when it stops: with the test, or with another program.
 */
export async function sftpServer({
  isReadOnly = false,
  home = tempFolder(),
  atEnd = onTestFinished as (stop: () => Promise<void>) => void,
} = {}): Promise<SftpServer> {
  const folder = join(home, 'out');
  mkdirSync(folder, { recursive: true });
  // Where sshd starts as root it wants this folder.
  if (process.getuid?.() === 0) mkdirSync('/run/sshd', { recursive: true, mode: 0o755 });
  const hostKey = join(home, 'host');
  const { fingerprint } = writeKey(hostKey);
  writeKey(join(home, 'account'));
  const port = await freePort();
  const config = join(home, 'sshd_config');
  writeFileSync(
    config,
    [
      `Port ${port}`,
      'ListenAddress 127.0.0.1',
      `HostKey ${hostKey}`,
      `AuthorizedKeysFile ${join(home, 'account.pub')}`,
      'StrictModes no',
      'UsePAM no',
      'PasswordAuthentication no',
      'PermitRootLogin prohibit-password',
      'MaxStartups 100',
      `PidFile ${join(home, 'pid')}`,
      `Subsystem sftp internal-sftp${isReadOnly ? ' -R' : ''}`,
      '',
    ].join('\n'),
  );
  let program: ReturnType<typeof spawn> | null = null;
  const server: SftpServer = {
    port,
    folder,
    settings: {
      host: '127.0.0.1',
      port,
      user: userInfo().username,
      hostKey: fingerprint,
      keyFile: join(home, 'account'),
      folder,
    },
    async start() {
      // -r: it doesn't start its program again for each connection, which takes a quarter of the time of one.
      program = spawn(findProgram('sshd') ?? 'sshd', ['-D', '-e', '-r', '-f', config], { stdio: 'ignore' });
      await answers(port);
    },
    kill() {
      killTree(program?.pid ?? 0);
      program = null;
    },
    async stop() {
      if (program === null) return;
      const ended = new Promise((done) => program?.once('exit', done));
      program.kill('SIGKILL');
      await ended;
      program = null;
    },
    changeHostKey() {
      for (const file of [hostKey, `${hostKey}.pub`]) rmSync(file);
      writeKey(hostKey, OTHER_KEY);
    },
  };
  atEnd(() => server.stop());
  await server.start();
  return server;
}

/** What a test needs of a server that it doesn't stop. */
export type SftpFolder = Pick<SftpServer, 'port' | 'folder' | 'settings'>;

/** A server for the tests of a file, started once; each call makes a folder on it, which is gone when the test ends. */
export function sharedSftpServer(): () => Promise<SftpFolder> {
  let shared: { readonly home: string; readonly server: Promise<SftpServer> } | null = null;
  afterAll(async () => {
    if (shared === null) return;
    await (await shared.server).stop();
    rmSync(shared.home, { recursive: true, force: true });
  });
  const start = () => {
    const home = mkdtempSync(join(tmpdir(), 'registrar-'));
    return { home, server: sftpServer({ home, atEnd: () => undefined }) };
  };
  return async () => {
    shared ??= start();
    const { port, settings } = await shared.server;
    const folder = join(tempFolder(), 'out');
    mkdirSync(folder);
    return { port, folder, settings: { ...settings, folder } };
  };
}

/** Writes a key and its public part, as ssh-keygen does, which is a process for each of them. */
function writeKey(file: string, key = KEY): KeyPair {
  const pair = key();
  writeFileSync(file, pair.own, { mode: 0o600 });
  writeFileSync(`${file}.pub`, pair.shared);
  return pair;
}

interface KeyPair {
  readonly own: Buffer;
  readonly shared: Buffer;
  /** As ssh-keygen prints it. */
  readonly fingerprint: string;
}

/** The key of all servers and accounts of this process. */
const KEY = once(makeKey);

/** A key that a server has instead later. */
const OTHER_KEY = once(makeKey);

function makeKey(): KeyPair {
  const folder = mkdtempSync(join(tmpdir(), 'registrar-'));
  try {
    const file = join(folder, 'key');
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', '', '-f', file]);
    const shown = execFileSync('ssh-keygen', ['-l', '-E', 'sha256', '-f', `${file}.pub`], {
      encoding: 'utf8',
    });
    const [, fingerprint = ''] = shown.split(' ');
    return { own: readFileSync(file), shared: readFileSync(`${file}.pub`), fingerprint };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/**
 * A port that passes on to another one, and breaks each connection off once the other side has sent so many bytes.
 * @param instead is called then; the connection stays open, and nothing more comes.
 */
export async function cuttingPort(port: number, afterBytes: number, instead?: () => void): Promise<number> {
  const server = createServer((near) => {
    const far = connect(port, '127.0.0.1');
    let sent = 0;
    const end = () => {
      near.destroy();
      far.destroy();
    };
    for (const socket of [near, far]) socket.on('error', end).on('close', end);
    near.pipe(far);
    far.on('data', (data: Buffer) => {
      const remaining = afterBytes - sent;
      sent += data.length;
      if (data.length < remaining) near.write(data);
      else if (instead === undefined) near.end(data.subarray(0, Math.max(0, remaining)), end);
      else if (remaining > 0) {
        near.write(data.subarray(0, remaining));
        instead();
      }
    });
  });
  await listening(server);
  onTestFinished(() => void server.close());
  return portOf(server);
}

function listening(server: Server): Promise<void> {
  return new Promise((done) => server.listen(0, '127.0.0.1', done));
}

function portOf(server: Server): number {
  return (server.address() as { port: number }).port;
}
