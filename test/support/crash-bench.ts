import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { KNOWN_CALLS } from '../../src/config/platform-calls.js';
import { systemClock } from '../../src/domain/clock.js';
import { dropMark } from '../../src/domain/files/attention-columns.js';
import { fieldsIn } from '../../src/ledger/submissions/record/kept-record.js';
import { postCompletion } from '../../src/platform/calls/call-of.js';
import { reconcile } from '../../src/report/report.js';
import type { CliResult } from './command-line.js';
import { correctedFileText } from './corrected-file-of.js';
import { csvOf, type ExportRow, exportRow, exportRows, workbookOf } from './exports.js';
import { isStopped } from './is-stopped.js';
import { OTHER_FILE_SYSTEM } from './other-file-system.js';
import { statsOf } from './sandbox-stats.js';
import { readSqlTrace } from './sql-trace.js';
import {
  type RunningCli,
  type TestWorkspace,
  testWorkspace,
  until,
  type WorkspaceSpec,
} from './workspace.js';
import { tamper, withLedger } from './workspace-ledger.js';

/**
 * A workspace with a small workload that has everything in it: a CSV on another file system with a duplicate, an
 * amended, an invalid and a skipped row, two rows of a learner the platform doesn't know and two of one slot, newest
 * first; the same file again; its attention file with two rows corrected; a workbook that repeats a row of it and
 * contradicts itself in two others; and a file that can't be read.
 */
export interface CrashBench extends TestWorkspace {
  /** Drops files of a few rows of its own, such that a run passes every moment there is. */
  deliver(round: number): void;
  /** One run to its end, or to the fault that the environment variables set for it. */
  runWith(env?: Readonly<Record<string, string>>, ...args: string[]): Promise<CliResult>;
  /** Starts a run and waits until it is stopped at its n-th passing of a moment, `<name>:<n>`. */
  stoppedRun(moment: string): Promise<RunningCli>;
  /**
   * Half a minute passes, after which others may take the leases of a stopped run; and then one run to its end, within
   * this process.
   */
  overtakingRun(): Promise<CliResult>;
  /** Where everything is now, in a form that two workspaces can be compared by. */
  outcome(): Outcome;
  /** Every promise that is broken once nothing is under way; none: []. */
  breaches(allowed?: Allowed): Promise<string[]>;
}

/** Where a workspace's rows and files have ended up. */
export interface Outcome {
  /** Dispositions, revisions and states, by file and line. */
  readonly rows: readonly string[];
  /** How often each file came in. */
  readonly arrivals: Readonly<Record<string, number>>;
  /** What the platform holds. */
  readonly completions: readonly string[];
  readonly files: readonly string[];
}

interface Allowed {
  /** A request may have been made twice, because its answer could not be kept. */
  readonly repeats: boolean;
}

/** Few enough that the workload must wait for a second period, short enough that it hardly waits. */
const QUOTA = { requests: 6, perMs: 400 } as const;

export async function crashBench(
  spec: { readonly environment?: Readonly<Record<string, unknown>>; readonly root?: string } = {},
): Promise<CrashBench> {
  const academyInbox = otherFileSystem();
  let aheadMs = 0;
  const clock = systemClock();
  const workspace = await testWorkspace({
    // Its creation is part of what is killed.
    hasNoLedger: true,
    sandbox: { quota: QUOTA, clock: { ...clock, nowMs: () => clock.nowMs() + aheadMs } },
    environments: { main: { pace: 'burst', deadline: '2s', inFlight: 1, ...spec.environment } },
    sources: {
      academy: { sameKey: 'last', ...(academyInbox === null ? {} : { inbox: academyInbox }) },
      campus: { control: { rows: { min: 1 } } },
    },
    ...(spec.root === undefined ? {} : { root: spec.root }),
  } satisfies WorkspaceSpec);
  const deliver = (name: string, academy: readonly ExportRow[], campus: readonly ExportRow[]) => {
    workspace.drop(`academy${name}.csv`, csvOf(academy), 'academy', academyInbox);
    workspace.drop(`academy${name} again.csv`, csvOf(academy), 'academy', academyInbox);
    workspace.drop(`academy${name} corrected.csv`, `corrected${name}\n${CORRECTED}`, 'academy', academyInbox);
    workspace.drop(`campus${name}.xlsx`, workbookOf(campus), 'campus');
    workspace.drop(`notes${name}.csv`, `nothing that has a header\nor rows${name}\n`, 'campus');
  };
  deliver('', ACADEMY, CAMPUS);
  const aheadFile = join(workspace.root, 'ahead');
  const passTime = async (ms: number) => {
    aheadMs += ms;
    writeFileSync(aheadFile, String(aheadMs));
    // A ledger in a database goes by the server's clock: there all that was granted is as much older instead.
    if (workspace.database !== null) await tamper(workspace, olderBy(ms));
  };
  const runWith: CrashBench['runWith'] = (env = {}, ...args) =>
    workspace.startWith(env, 'run', '--json', ...args).ended;

  return {
    ...workspace,
    deliver: (round) => {
      const [first, second] = exportRows(2, 100 + 2 * round);
      if (first && second) deliver(` ${round}`, [first, { ...first, score: 99 }], [first, second]);
    },
    runWith,
    async stoppedRun(moment) {
      await passTime(0);
      const inPassedTime = { NODE_OPTIONS: `--import ${CLOCK_AHEAD}`, CLOCK_AHEAD: aheadFile };
      const env = { ...inPassedTime, REGISTRAR_FAILPOINT: `${moment}:stop` };
      const stopped = workspace.startWith(env, 'run', '--json');
      await until(`a run is stopped at ${moment}`, () => isStopped(stopped.pid));
      return stopped;
    },
    async overtakingRun() {
      await passTime(30_000);
      const now = process.hrtime.bigint;
      process.hrtime.bigint = () => now() + BigInt(aheadMs) * 1_000_000n;
      try {
        return await workspace.cli('run', '--json');
      } finally {
        process.hrtime.bigint = now;
      }
    },
    outcome: () => ({
      rows: rowsOf(workspace),
      arrivals: arrivalsOf(workspace),
      completions: completionsOf(workspace),
      files: filesOf(workspace, academyInbox),
    }),
    breaches: async (allowed = { repeats: true }) => breachesOf(workspace, allowed),
  };
}

const CLOCK_AHEAD = new URL('../../dist/test/support/clock-ahead.js', import.meta.url).href;

/** The differences of two outcomes, line by line; none: []. */
export function departures(found: Outcome, expected: Outcome): string[] {
  const lines = ({ rows, arrivals, completions, files }: Outcome) => [
    ...rows,
    ...Object.entries(arrivals).map(([name, count]) => `${name} came in ${count} times`),
    ...completions,
    ...files,
  ];
  const [is, should] = [lines(found), lines(expected)];
  return [
    ...should.filter((line) => !is.includes(line)).map((line) => `missing: ${line}`),
    ...is.filter((line) => !should.includes(line)).map((line) => `unexpected: ${line}`),
  ];
}

/** An undisturbed run. */
export interface Undisturbed {
  readonly outcome: Outcome;
  /** How often it passes each failpoint. */
  readonly hits: ReadonlyMap<string, number>;
  /** How many SQL statements it carries out. */
  readonly statements: number;
}

export async function undisturbed(rounds = 0): Promise<Undisturbed> {
  const bench = await crashBench();
  for (let round = 0; round < rounds; round += 1) bench.deliver(round);
  const trace = join(bench.root, 'trace');
  const sqlTrace = join(bench.root, 'sql-trace');
  const { code } = await bench.runWith({
    REGISTRAR_FAILPOINT_TRACE: trace,
    ...sqlFaults({ SQL_TRACE: sqlTrace }),
  });
  expect(code).toBe(1);
  expect(await bench.breaches({ repeats: false })).toEqual([]);
  return {
    outcome: bench.outcome(),
    hits: hitsIn(trace),
    statements: readSqlTrace(sqlTrace).carriedOut,
  };
}

/** Environment variables that load `sql-faults` into the program and configure it. */
export function sqlFaults(what: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return { NODE_OPTIONS: `--import ${SQL_FAULTS}`, ...what };
}

const SQL_FAULTS = new URL('../../dist/test/support/sql-faults.js', import.meta.url).href;

const ACADEMY = [
  exportRow(1),
  exportRow(2),
  exportRow(2),
  exportRow(3, { score: 40 }),
  exportRow(3, { score: 80 }),
  exportRow(4, { email: 'nobody at all' }),
  exportRow(5, { status: 'Not started' }),
  exportRow(6, { email: 'unknown@example.org', course: 'A' }),
  exportRow(7, { email: 'unknown@example.org', course: 'B' }),
  exportRow(8, { at: '2024-02-02 08:00:00' }),
  exportRow(8, { at: '2024-01-01 08:00:00' }),
];

/** The row without an address and one of the unknown learner, as a person would correct them: it is the first drop. */
const CORRECTED = correctedFileText(dropMark(1, createHash('sha256').update(csvOf(ACADEMY)).digest('hex')), [
  { of: 7, row: exportRow(4) },
  { of: 9, row: exportRow(6, { course: 'A' }) },
]);

const CAMPUS = [exportRow(2), exportRow(9), exportRow(10), exportRow(11), exportRow(11, { score: 99 })];

/** A folder where moving a file to the workspace means copying it; null where the machine has no such place. */
function otherFileSystem(): string | null {
  if (OTHER_FILE_SYSTEM === null) return null;
  const folder = mkdtempSync(join(OTHER_FILE_SYSTEM, 'registrar-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** The outcome of each row. Which row of the unknown learner was sent and refused may vary. */
function rowsOf({ query }: TestWorkspace): string[] {
  const rows = query<{ text: string }>(
    `select d.file_name || ':' || r.line || ' ' || r.disposition as text from row r join drop_file d using (drop_id)
     union all
     select case when s.learner like '%unknown@%' then 'unknown learner' else d.file_name || ':' || s.line end || ' revision ' || s.revision
       || ' ' || s.state || ' ' || case when s.state = 'held' then s.cause else '' end from submission_record s join drop_file d using (drop_id)
     union all
     select file_name || ' ' || state || ', dispositions '
       || concat_ws(' ', staged, duplicate, amended, invalid, skipped, non_data, blank) from drop_file`,
  );
  return rows.map(({ text }) => text).sort();
}

function arrivalsOf({ query }: TestWorkspace): Record<string, number> {
  const arrivals = query<{ name: string; count: number }>(
    `select file_name as name, count(*) as count
     from (select file_name from arrival union all select file_name from returned_file) files group by file_name`,
  );
  return Object.fromEntries(arrivals.map(({ name, count }) => [name, count]));
}

function completionsOf({ sandbox }: TestWorkspace): string[] {
  return sandbox.platform
    .completions()
    .map(({ attributes }) => JSON.stringify(attributes))
    .sort();
}

function filesOf(workspace: TestWorkspace, academyInbox: string | null): string[] {
  const inboxes = [...workspace.files('inbox'), ...(academyInbox === null ? [] : readdirSync(academyInbox))];
  const shelved = ['processing', 'archive', 'rejected'].flatMap((folder) =>
    workspace.files(folder).map((name) => `${folder}/${name}`),
  );
  // Drops may get their numbers in any order.
  return [...inboxes, ...shelved.map((name) => name.replace(/\/(correction-)?\d+-/, '/$1'))].sort();
}

async function breachesOf(workspace: TestWorkspace, allowed: Allowed): Promise<string[]> {
  const { query, sandbox } = workspace;
  const { overQuota, mostInAnyWindow, repeatedWrites } = statsOf(sandbox.platform);
  const repeats = query<{ sum: number }>('select sum(repeats) as sum from submission')[0]?.sum ?? 0;
  return [
    ...none(
      'imbalance',
      await withLedger(workspace, async (ledger) => (await reconcile(ledger, {})).imbalances),
    ),
    ...(workspace.database === null ? unsound(workspace) : []),
    ...none('open run', query('select run_id from run where ended_at is null')),
    ...none('held lease', query('select name, pid from lease where owner is not null')),
    ...none('open attempt', query('select * from attempt_open')),
    ...none('half staged', query(`select file_name from drop_file where state = 'staging'`)),
    ...none('temporary file', temporaryFiles(workspace.root)),
    ...none(
      'over quota',
      overQuota + Math.max(0, mostInAnyWindow - QUOTA.requests) > 0 ? [statsOf(sandbox.platform)] : [],
    ),
    ...none('marked as repeated', allowed.repeats || repeats === 0 ? [] : [repeats]),
    ...none('written again', allowed.repeats || repeatedWrites === 0 ? [] : [repeatedWrites]),
    ...none('ledger and platform differ', differences(workspace)),
    ...none('out of order', outOfOrder(workspace)),
  ];
}

function olderBy(ms: number): string {
  return `update lease set heartbeat_mono_ms = heartbeat_mono_ms - ${ms}, expires_mono_ms = expires_mono_ms - ${ms};
    update permit set taken_mono_ms = taken_mono_ms - ${ms}, free_mono_ms = free_mono_ms - ${ms};
    update quota_client set next_start_mono_ms = next_start_mono_ms - ${ms}`;
}

/** What is wrong with the file of the ledger. */
function unsound({ query }: TestWorkspace): string[] {
  return [
    ...none('integrity', query("select * from pragma_integrity_check where integrity_check <> 'ok'")),
    ...none('foreign key', query('select * from pragma_foreign_key_check')),
  ];
}

function none(what: string, rows: readonly unknown[]): string[] {
  return rows.length === 0 ? [] : [`${what}: ${rows.map((row) => JSON.stringify(row)).join(', ')}`];
}

/**
 * What the ledger calls accepted is what the platform wrote, and each further write is marked as a repeat; a row that is
 * not accepted was never written, save its earlier revision.
 */
function differences({ query, sandbox, posts }: TestWorkspace): string[] {
  const accepted = query<{ record: string; repeats: number }>(
    "select encoded_record as record, repeats from submission_record where state = 'accepted'",
  ).map(({ record, repeats }) => [attributesOf(record), repeats] as const);
  const repeatsOf = new Map(accepted);
  const written = sandbox.platform.completions().map(({ attributes, writes }) => {
    return { text: JSON.stringify(attributes), writes };
  });
  const [attempts] = query<{ all: number; silent: number }>(
    `select count(*) as "all", (select count(*) from response where late = 0 and status is null) as silent from attempt`,
  );
  const { all = 0, silent = 0 } = attempts ?? {};
  return [
    ...accepted
      .filter(([text]) => !written.some((one) => one.text === text))
      .map(([text]) => `not written: ${text}`),
    ...written.filter(({ text }) => !repeatsOf.has(text)).map(({ text }) => `not accepted: ${text}`),
    ...written
      .filter(({ text, writes }) => writes - 1 > (repeatsOf.get(text) ?? 0))
      .map(({ text, writes }) => `written ${writes} times, ${repeatsOf.get(text)} repeats marked: ${text}`),
    ...(posts() > all || posts() < all - silent
      ? [`${posts()} requests, ${all} attempts, ${silent} of them without an answer`]
      : []),
  ];
}

function attributesOf(record: string): string {
  const { body } = postCompletion.request([{ fields: fieldsIn(record) ?? {} }], KNOWN_CALLS);
  return JSON.stringify((body as { data: { attributes: unknown } }).data.attributes);
}

/** Completions of one learner and content must be written in the order in which they happened. */
function outOfOrder({ sandbox }: TestWorkspace): string[] {
  const latest = new Map<string, string>();
  return sandbox.platform.received.flatMap(({ written, attributes }) => {
    if (!written) return [];
    const {
      'user-id': user,
      'content-id': content,
      'completed-at': at,
    } = attributes as Record<string, string>;
    const slot = `${user} ${content}`;
    const before = latest.get(slot) ?? '';
    latest.set(slot, at ?? '');
    return (at ?? '') < before ? [`${slot}: ${at} after ${before}`] : [];
  });
}

function temporaryFiles(root: string): string[] {
  return readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.tmp'));
}

/** Counts the lines of a file by their text. */
function hitsIn(tracePath: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const name of readFileSync(tracePath, 'utf8').trimEnd().split('\n')) {
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
}
