import { spawn } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import BetterSqlite3 from 'better-sqlite3';
import { onTestFinished } from 'vitest';
import type { ReceivedRequest } from '../../src/sandbox/received.js';
import { type SandboxServer, type SandboxServerOptions, startSandbox } from '../../src/sandbox/server.js';
import { type CliResult, commandLine, type LastingLine, lastingLine, programEnv } from './command-line.js';
import { queryDatabase } from './database-query.js';
import { makeLedger } from './empty-ledger.js';
import { freshDatabase } from './postgres-server.js';
import { programForOthers } from './program-for-others.js';
import { receivedDifference } from './received-totals.js';
import { tempFolder } from './temp-folder.js';

/** A test's overrides of its workspace; the rest is one environment, one source and a sound platform. */
export interface WorkspaceSpec {
  readonly sandbox?: SandboxServerOptions;
  /** Settings of each environment over the defaults below. */
  readonly environments?: Readonly<Record<string, Settings>>;
  /** Settings of each source over the defaults below. */
  readonly sources?: Readonly<Record<string, Settings>>;
  readonly schedule?: readonly Settings[];
  readonly reports?: Settings;
  readonly alerts?: Settings;
  /** The address of the database that is the ledger; left out: a file, or with LEDGER=postgres a database of the test's own. */
  readonly ledger?: string;
  /** Environment variables of the program over the credentials of the sandbox. */
  readonly env?: Readonly<Record<string, string>>;
  /** The folder to make it in; else a new one. */
  readonly root?: string;
  /** True: its ledger is made by the first command that opens it, which takes longer than to copy an empty one. */
  readonly hasNoLedger?: boolean;
  /**
   * Why the report's totals need not be those of the platform when the test ends. Otherwise the test fails unless
   * they are.
   */
  readonly skipReceivedCheck?: string;
  /** What other platforms have received of it, where it is a copy. */
  readonly receivedBefore?: readonly ReceivedRequest[];
}

type Settings = Readonly<Record<string, unknown>>;

/** A workspace on disk with a sandbox platform beside it. All of it is gone when the test ends. */
export interface TestWorkspace {
  readonly root: string;
  /** The address of the database that is its ledger; null: the ledger is a file. */
  readonly database: string | null;
  readonly sandbox: SandboxServer;
  /** Delivers a file as a sender should: under another name first. Returns its path. */
  drop(name: string, content: string | Buffer, source?: string, inbox?: string | null): string;
  /** Runs one command line to its end, within this process. */
  cli(...args: string[]): Promise<CliResult>;
  /** The same with further environment variables. */
  cliWith(env: Readonly<Record<string, string>>, ...args: string[]): Promise<CliResult>;
  /** Runs `registrar run --json` with these further options. */
  run(...args: string[]): Promise<CliResult & { readonly report: ReportDocument }>;
  /** `registrar report --json`: all there is. */
  books(): Promise<ReportDocument>;
  /** Begins a command line within this process and leaves it running. */
  begin(...args: string[]): LastingLine;
  /** Starts a command line as a process of its own and leaves it running. */
  start(...args: string[]): RunningCli;
  /** The same with further environment variables. */
  startWith(env: Readonly<Record<string, string>>, ...args: string[]): RunningCli;
  /** Queries the ledger, on a connection that can't write. */
  query<Row>(sql: string): Row[];
  /** Submissions in the ledger by state; a state that none is in is left out. */
  states(): Readonly<Record<string, number>>;
  /** Requests to the platform's resource endpoints, in order of arrival. */
  posts(): number;
  /** What its platform has received, after what others had before. */
  received(): readonly ReceivedRequest[];
  /** Names in a folder of the workspace, at all depths, sorted; [] where there is none. */
  files(folder: string): string[];
}

/** A command line that is still running. */
export interface RunningCli {
  readonly pid: number;
  readonly ended: Promise<CliResult>;
  kill(signal: NodeJS.Signals): void;
  /** Its output so far. */
  stdout(): string;
  stderr(): string;
}

/** What tests read of `run --json` and `report --json`. */
export interface ReportDocument {
  readonly run: number;
  readonly exit: string;
  readonly balanced: boolean;
  readonly equations: readonly {
    readonly over: string;
    readonly subject: string;
    readonly equation: string;
    readonly left: number;
    readonly right: number;
    readonly holds: boolean;
  }[];
  readonly imbalances: readonly { readonly equation: string; readonly examples: readonly string[] }[];
  readonly rows: number;
  readonly dispositions: Readonly<Record<string, number>>;
  readonly states: Readonly<Record<string, number>>;
  readonly attempts: Readonly<Record<string, number>>;
  readonly attention: number;
  readonly attentionRows: number;
  readonly attentionFiles: number;
  readonly corrections: readonly {
    readonly decision: number;
    readonly rows: Readonly<Record<'made' | 'repeated' | 'skipped' | 'invalid' | 'left', number>>;
    readonly issues: number;
  }[];
  readonly waiting: readonly {
    readonly environment: string;
    readonly waiting: number;
    readonly estimatedMs: number | null;
    readonly estimatedEnd: string | null;
    readonly pushedBy: { readonly pid: number; readonly takesAll: boolean } | null;
  }[];
  readonly causes: readonly {
    readonly code: string;
    readonly state: string;
    readonly count: number;
    readonly example: string;
    readonly reason: string;
    readonly remedy: string;
    readonly drops: readonly { readonly drop: number; readonly file: string; readonly count: number }[];
  }[];
  readonly unknownLearners: { readonly learners: number; readonly rows: number };
  readonly altered: { readonly shown: readonly unknown[] };
  readonly existing: { readonly existed: number; readonly restored: number };
  readonly files: readonly {
    readonly file: string;
    readonly state: string;
    readonly refusal: string | null;
    readonly dispositions: Readonly<Record<string, number>>;
    readonly repeatedArrivals: number;
    readonly control: unknown;
  }[];
  readonly reportFolder: string | null;
  readonly pushes: Readonly<Record<string, { readonly kind: string; readonly reason?: string }>>;
}

/** The quota of the specification with a short period, on both sides. */
const SHORT_QUOTA = { requests: 70, perMs: 500 } as const;

/** Makes a workspace and starts its platform. */
export async function testWorkspace(spec: WorkspaceSpec = {}): Promise<TestWorkspace> {
  const root = spec.root ?? tempFolder();
  const database = spec.ledger ?? (await ownDatabase(root));
  if (database === null && !spec.hasNoLedger) makeLedger(root);
  const sandbox = await startSandbox({ quota: SHORT_QUOTA, ...spec.sandbox });
  const received = () => [...(spec.receivedBefore ?? []), ...sandbox.platform.received];
  onTestFinished(() => sandbox.close());
  onTestFinished(async () => {
    if (spec.skipReceivedCheck !== undefined) return;
    const difference = await receivedDifference({ root, database }, received());
    if (difference !== null) throw new Error(difference);
  });
  const quota = spec.sandbox?.quota ?? SHORT_QUOTA;
  const environment = {
    baseUrl: sandbox.url,
    authUrl: sandbox.url,
    clientId: '${REGISTRAR_CLIENT_ID}',
    clientSecret: '${REGISTRAR_CLIENT_SECRET}',
    quota: { requests: quota.requests, per: `${quota.perMs}ms` },
    // However busy the machine is, no answer counts as lost.
    deadline: '30s',
    retry: { tries: 5, first: '20ms', longest: '200ms' },
    outage: '1500ms',
  };
  const source = {
    operation: 'submit-completion',
    environment: 'main',
    stableFor: '0s',
    timeZone: 'Europe/Berlin',
  };
  writeConfig(root, {
    environments: mapValues(spec.environments ?? { main: {} }, (more) => ({ ...environment, ...more })),
    sources: Object.entries(spec.sources ?? { academy: {} }).map(([name, more]) => ({
      name,
      ...source,
      ...more,
    })),
    ...(spec.schedule ? { schedule: spec.schedule } : {}),
    ...(spec.reports ? { reports: spec.reports } : {}),
    ...(spec.alerts ? { alerts: spec.alerts } : {}),
    ...(database === null ? {} : IN_DATABASE),
  });
  const env = { ...CREDENTIALS, ...ledgerEnv({ database }), ...spec.env };
  const startWith = (more: Readonly<Record<string, string>>, ...args: string[]) =>
    startCli(args, { cwd: root, env: { ...env, ...more } });
  const start = (...args: string[]) => startWith({}, ...args);
  const begin = (...args: string[]) => lastingLine(args, { cwd: root, env });
  const cliWith = (more: Readonly<Record<string, string>>, ...args: string[]) =>
    commandLine(args, { cwd: root, env: { ...env, ...more } });
  const cli = (...args: string[]) => cliWith({}, ...args);
  const query = <Row>(sql: string): Row[] => {
    if (database !== null) return queryDatabase<Row>(database, sql);
    const ledger = new BetterSqlite3(join(root, 'registrar.db'), { readonly: true, fileMustExist: true });
    try {
      return ledger.prepare(sql).all() as Row[];
    } finally {
      ledger.close();
    }
  };

  return {
    root,
    database,
    sandbox,
    begin,
    start,
    startWith,
    cli,
    cliWith,
    drop(name, content, source = 'academy', inbox = null) {
      const folder = inbox ?? join(root, 'inbox', source);
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, `.${name}.tmp`), content);
      renameSync(join(folder, `.${name}.tmp`), join(folder, name));
      return join(folder, name);
    },
    async run(...args) {
      const result = await cli('run', '--json', ...args);
      return { ...result, report: documentOf(result) };
    },
    books: async () => documentOf(await cli('report', '--json')),
    query,
    states() {
      const counted = query<{ state: string; count: number }>(
        'select state, count(*) as count from submission group by state',
      );
      return Object.fromEntries(counted.map(({ state, count }) => [state, count]));
    },
    received,
    posts: () => sandbox.platform.received.filter(({ path }) => path.startsWith('/api/')).length,
    files: (folder) => filesIn(join(root, folder)),
  };
}

/** Adds to a registrar.yaml that the test has written itself which database is the ledger. */
export function addLedger({ root, database }: Pick<TestWorkspace, 'root' | 'database'>): void {
  if (database === null) return;
  const lines = Object.entries(IN_DATABASE).map(([name, value]) => `${name}: ${value}\n`);
  appendFileSync(join(root, 'registrar.yaml'), lines.join(''));
}

const IN_DATABASE = { ledger: '${REGISTRAR_LEDGER_URL}', workspace: 'test' };

/** The variable of the program with the address of a workspace's database. */
export function ledgerEnv({ database }: Pick<TestWorkspace, 'database'>): Readonly<Record<string, string>> {
  return database === null ? {} : { REGISTRAR_LEDGER_URL: database };
}

/** A database for the workspace in this folder; null: its ledger is a file. */
async function ownDatabase(root: string): Promise<string | null> {
  if (process.env.LEDGER !== 'postgres') return null;
  const known = databases.get(root);
  if (known !== undefined) return known;
  const { url, drop } = await freshDatabase();
  databases.set(root, url);
  onTestFinished(drop);
  return url;
}

/** A test may make its workspace again, with other settings and the same ledger. */
const databases = new Map<string, string>();

/** registrar.yaml: JSON is YAML as well. */
function writeConfig(root: string, config: unknown): void {
  writeFileSync(join(root, 'registrar.yaml'), JSON.stringify(config, null, 2));
}

/** Starts the compiled program, with none of the test's own environment but what it needs to run. */
export function startCli(
  args: readonly string[],
  where: {
    readonly cwd: string;
    readonly env?: Readonly<Record<string, string>>;
    /** The user whose process it is, where the tests run as root; absent: the tests' own. */
    readonly uid?: number;
  },
): RunningCli {
  if (!existsSync(PROGRAM)) throw new Error(`${PROGRAM} is missing. Run \`npm run build\` first.`);
  const program = where.uid === undefined ? PROGRAM : programForOthers();
  const child = spawn(process.execPath, [program, ...args], {
    cwd: where.cwd,
    env: { ...programEnv(), ...where.env },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(where.uid === undefined ? {} : { uid: where.uid, gid: where.uid }),
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const ended = new Promise<CliResult>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, stdout, stderr }));
  });
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  return {
    pid: child.pid ?? 0,
    ended,
    kill: (signal) => void child.kill(signal),
    stdout: () => stdout,
    stderr: () => stderr,
  };
}

/** The one JSON document on stdout; fails with everything the program said where there is none. */
export function documentOf<Document = ReportDocument>({ code, stdout, stderr }: CliResult): Document {
  try {
    return JSON.parse(stdout) as Document;
  } catch {
    throw new Error(`exit ${code}, and stdout is not one JSON document:\n${stdout}\nstderr:\n${stderr}`);
  }
}

/** A check mostly opens the ledger, which takes 2 ms of a processor on a busy machine: checking more often would slow down the awaited work. */
const LOOK_MS = 20;

/** Polls until a condition is true; a condition that throws is not true yet. */
export async function until(what: string, isSo: () => boolean, timeoutMs = 120_000): Promise<void> {
  const endMs = performance.now() + timeoutMs;
  while (!trueIn(isSo)) {
    if (performance.now() > endMs) throw new Error(`waited ${timeoutMs} ms in vain until ${what}`);
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}

const PROGRAM = fileURLToPath(new URL('../../dist/program/main.js', import.meta.url));

export const CREDENTIALS = {
  REGISTRAR_CLIENT_ID: 'sandbox-client',
  REGISTRAR_CLIENT_SECRET: 'sandbox-secret',
};

function trueIn(isSo: () => boolean): boolean {
  try {
    return isSo();
  } catch {
    return false;
  }
}

function filesIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();
}

function mapValues<In, Out>(
  record: Readonly<Record<string, In>>,
  change: (value: In) => Out,
): Record<string, Out> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]));
}

/** The text of a file of the workspace. */
export function textOf(workspace: Pick<TestWorkspace, 'root'>, path: string): string {
  return readFileSync(join(workspace.root, path), 'utf8');
}
