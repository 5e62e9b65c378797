import { copyFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../src/domain/clock.js';
import { disconnect } from '../../src/ledger/store/open.js';
import { openDatabaseLedger } from '../../src/ledger/store/postgres/open.js';
import { reconcile } from '../../src/report/report.js';
import { seededRandom } from '../../src/sandbox/seeded-random.js';
import { type BrokenLine, brokenLine } from '../support/broken-line.js';
import { csvOf, type ExportRow, exportRow, exportRows } from '../support/exports.js';
import { type OwnServer, ownServer } from '../support/postgres-server.js';
import { QUOTA_METERS } from '../support/quota-windows.js';
import { receivedDifferenceIn } from '../support/received-totals.js';
import { statsOf } from '../support/sandbox-stats.js';
import { tempFolder } from '../support/temp-folder.js';
import {
  CREDENTIALS,
  type RunningCli,
  startCli,
  type TestWorkspace,
  testWorkspace,
  type WorkspaceSpec,
} from '../support/workspace.js';

/** How long the troubles go on. */
const MINUTES = Number(process.env.MACHINES_SOAK_MINUTES ?? 10);

/** Random: the kinds of trouble, and their times. */
const SEED = Number(process.env.MACHINES_SOAK_SEED ?? 1);

const DROP_MS = 10_000;
const ROWS = 60;
const STALL_MS = 30_000;

const PRELOAD = new URL('../../dist/test/support/another-machine.js', import.meta.url).href;

/** Two environments share a client id and its quota, one has its own. */
const THIRD = { clientId: '${THIRD_ID}', clientSecret: '${THIRD_SECRET}' };
const SOURCES = { academy: 'main', campus: 'second', depot: 'third' } as const;
const THIRD_CREDENTIALS = { THIRD_ID: 'third-client', THIRD_SECRET: 'third-secret' };
const SCOPES = ['content:read', 'content:write', 'completions:read', 'completions:write'];
const CLIENTS = [
  { clientId: 'sandbox-client', clientSecret: 'sandbox-secret', scopes: SCOPES },
  { clientId: 'third-client', clientSecret: 'third-secret', scopes: SCOPES },
];

/** A machine with a service, and a line of its own to the database. */
interface Machine {
  readonly name: string;
  readonly root: string;
  readonly aheadMs: number;
  readonly line: BrokenLine;
  /** The address by which it reaches the platform. */
  readonly platform: string;
  service: RunningCli;
  /** The logs of its ended services. */
  readonly logs: string[];
}

it(
  `in ${MINUTES} minutes of kills, crashes, stalls and clocks that differ, three machines lose nothing and send nothing twice`,
  async () => {
    const server = await ownServer();
    onTestFinished(() => server.stop());
    const quota = { requests: 70, perMs: 3_000, meter: QUOTA_METERS.sliding };
    const workspace = await soakWorkspace(server.url, {
      quota,
      faults: {
        latencyMs: 40,
        rates: { 'server-error': 0.02, 'bad-gateway': 0.01, 'drop-after': 0.005, 'drop-before': 0.01 },
      },
    });
    const machines: Machine[] = [];
    for (const [name, root, aheadMs] of [
      ['one', workspace.root, 0],
      ['two', workspace.root, 300_000],
      // It has none of the folders, and delivers alone.
      ['three', tempFolder(), -300_000],
    ] as const) {
      if (root !== workspace.root)
        copyFileSync(join(workspace.root, 'registrar.yaml'), join(root, 'registrar.yaml'));
      machines.push(await machine(name, root, aheadMs, server, workspace.sandbox.url));
    }
    const random = seededRandom(SEED);
    const troubles: Record<string, number> = {};
    const stalled: Promise<void>[] = [];
    const over = new AbortController();
    const chaos = (async () => {
      while (!over.signal.aborted) {
        await pause(6_000 + random() * 12_000);
        const one = machines[Math.floor(random() * machines.length)] as Machine;
        const kind = TROUBLES[Math.floor(random() * TROUBLES.length)] as Trouble;
        troubles[kind] = (troubles[kind] ?? 0) + 1;
        await cause(kind, one, server, stalled);
      }
    })();
    const endMs = performance.now() + MINUTES * 60_000;
    for (let n = 0; performance.now() < endMs; n += 1) {
      dropFiles(workspace, n);
      await pause(DROP_MS);
    }
    over.abort();
    await chaos;
    await Promise.all(stalled);
    await drained(workspace, server);
    const drainedMs = performance.now() - endMs;
    // One more minute, in which ended alerts are sent, and a slot comes.
    await pause(70_000);
    for (const { service } of machines) service.kill('SIGTERM');
    const ended = await Promise.all(machines.map(({ service }) => service.ended));
    const logs = machines.flatMap((one, index) => [...one.logs, ended[index]?.stderr ?? '']);
    expect(ended.map(({ code }) => code)).toEqual([143, 143, 143]);
    expect(logs.filter((log) => /a bug in Registrar/.test(log))).toEqual([]);

    const { platform } = workspace.sandbox;
    const stats = statsOf(platform);
    const ledger = await openDatabaseLedger(server.url, systemClock());
    onTestFinished(() => disconnect(ledger));
    const books = await reconcile(ledger, {});
    const slots = slotsDone(logs);
    console.log(
      JSON.stringify({
        ...{ minutes: MINUTES, seed: SEED, troubles, drainedAfterS: Math.round(drainedMs / 1_000) },
        ...{ rows: books.rows, states: books.states, attempts: books.attempts, slotsDone: slots.length },
        platform: stats,
      }),
    );
    expect(books.balanced).toBe(true);
    expect(await receivedDifferenceIn(ledger, platform.received)).toBeNull();
    expect(stats.repeatedWrites).toBeLessThanOrEqual(books.attempts.repeats);
    expect([stats.overQuota, stats.byStatus['429'] ?? 0]).toEqual([0, 0]);
    expect(stats.mostInAnyWindow).toBeLessThanOrEqual(quota.requests);
    expect(new Set(slots).size, slots.join('\n')).toBe(slots.length);
    const kept = await query<{ slot: string; ending: string | null }>(
      server.url,
      'select slot_at as slot, ending from job_slot order by slot_at',
    );
    // Every minute has its slot; only the last may be under way. One whose process died three times is abandoned.
    const minutes = kept.map(({ slot }) => Date.parse(slot) / 60_000);
    expect(minutes).toEqual(minutes.map((_, index) => (minutes[0] ?? 0) + index));
    expect(minutes.length).toBeGreaterThanOrEqual(MINUTES);
    expect(kept.slice(0, -1).filter(({ ending }) => ending === null)).toEqual([]);
    const sent = [...new Set(machines.map(({ root }) => root))].flatMap(notificationsIn);
    expect(sent.length).toBeGreaterThan(0);
    expect(new Set(sent).size, sent.join('\n')).toBe(sent.length);
    expect(await outcomes(server)).toEqual(await undisturbed(Math.ceil((MINUTES * 60_000) / DROP_MS)));
  },
  (MINUTES + 25) * 60_000,
);

it('a machine that is cut off from the database sends nothing after its fence, and another goes on within the lease', async () => {
  const server = await ownServer();
  onTestFinished(() => server.stop());
  const workspace = await soakWorkspace(server.url, { quota: { requests: 70, perMs: 4_000 } });
  workspace.drop('large.csv', csvOf(exportRows(4_000)), 'academy');
  const platforms = [await brokenLine(workspace.sandbox.port), await brokenLine(workspace.sandbox.port)];
  const machines: Machine[] = [];
  for (const [index, name] of ['cut', 'other'].entries()) {
    const root = index === 0 ? workspace.root : tempFolder();
    if (index === 1) copyFileSync(join(workspace.root, 'registrar.yaml'), join(root, 'registrar.yaml'));
    const line = platforms[index] as BrokenLine;
    machines.push(await machine(name, root, 0, server, line.url));
    if (index === 0) await eventually('it delivers', () => workspace.posts() > 40);
  }
  const [cut, other] = machines as [Machine, Machine];
  const [ofCut, ofOther] = platforms as [BrokenLine, BrokenLine];
  await pause(3_000);
  const wasUsed = ofOther.usedAtMs();
  cut.line.stall();
  const cutMs = Date.now();
  await eventually(
    'the other goes on',
    () => (ofOther.usedAtMs() ?? 0) > Math.max(cutMs, wasUsed ?? 0),
    90_000,
  );
  const tookOverAfterMs = (ofOther.usedAtMs() ?? 0) - cutMs;
  await pause(60_000);
  const lastAfterMs = (ofCut.usedAtMs() ?? 0) - cutMs;
  console.log(JSON.stringify({ lastAfterMs, tookOverAfterMs }));
  expect(lastAfterMs).toBeLessThan(30_000);
  expect(lastAfterMs).toBeLessThan(tookOverAfterMs);
  // The lease's thirty seconds, and what a service waits between two looks.
  expect(tookOverAfterMs).toBeLessThan(60_000);
  expect(other.service.stderr()).not.toMatch(/a bug in Registrar/);
  expect(statsOf(workspace.sandbox.platform)).toMatchObject({ overQuota: 0 });
}, 400_000);

/** The same on every machine; only who delivers may reach the platform by another line. */
function soakWorkspace(
  ledger: string | null,
  sandbox: NonNullable<WorkspaceSpec['sandbox']>,
): Promise<TestWorkspace> {
  const environment = {
    deadline: '10s',
    retry: { tries: 60, first: '200ms', longest: '3s' },
    resends: 60,
    ...(ledger === null ? {} : { baseUrl: '${PLATFORM}', authUrl: '${PLATFORM}' }),
  };
  return testWorkspace({
    sandbox: { clients: CLIENTS, ...sandbox },
    ...(ledger === null ? {} : { ledger, skipReceivedCheck: 'its ledger is a database' }),
    env: { ...THIRD_CREDENTIALS, PLATFORM: 'http://127.0.0.1:9' },
    environments: { main: environment, second: environment, third: { ...environment, ...THIRD } },
    sources: Object.fromEntries(
      Object.entries(SOURCES).map(([source, name]) => [source, { environment: name }]),
    ),
    schedule: [{ cron: '* * * * *', timeZone: 'UTC', missed: 'each', do: ['report'] }],
    alerts: { recoverAfter: '20s', channels: [{ name: 'log', file: 'alerts.jsonl' }] },
  });
}

async function machine(
  name: string,
  root: string,
  aheadMs: number,
  server: OwnServer,
  platform: string,
): Promise<Machine> {
  const one = { name, root, aheadMs, line: await brokenLine(server.port), platform };
  return { ...one, service: startService(one), logs: [] };
}

function startService({
  name,
  root,
  aheadMs,
  line,
  platform,
}: Omit<Machine, 'service' | 'logs'>): RunningCli {
  return startCli(['schedule', '--verbose'], {
    cwd: root,
    env: {
      ...CREDENTIALS,
      ...THIRD_CREDENTIALS,
      REGISTRAR_LEDGER_URL: `postgres://registrar@127.0.0.1:${line.port}/soak`,
      PLATFORM: platform,
      NODE_OPTIONS: `--import ${PRELOAD}`,
      MACHINE: name,
      WALL_AHEAD_MS: String(aheadMs),
    },
  });
}

const TROUBLES = ['kill', 'kill', 'disconnect', 'crash', 'stall'] as const;

type Trouble = (typeof TROUBLES)[number];

/** @param lasting takes the end of a trouble that goes on while others come. */
async function cause(
  kind: Trouble,
  one: Machine,
  server: OwnServer,
  lasting: Promise<void>[],
): Promise<void> {
  switch (kind) {
    case 'kill':
      one.service.kill('SIGKILL');
      one.logs.push((await one.service.ended).stderr);
      one.service = startService(one);
      return;
    case 'disconnect':
      await server.administer(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and pid <> pg_backend_pid() and random() < 0.5`,
      );
      return;
    case 'crash':
      await server.crash();
      return;
    case 'stall':
      one.line.stall();
      lasting.push(pause(STALL_MS).then(() => one.line.flow()));
  }
}

/** Mostly good rows; some of unknown learners, some without a time; now and then the same file once more. */
function dropFiles(workspace: TestWorkspace, n: number): void {
  for (const [index, source] of Object.keys(SOURCES).entries()) {
    const from = ((n % 10 === 9 ? n - 1 : n) * 3 + index) * ROWS;
    const rows = Array.from({ length: ROWS }, (_, line): ExportRow => {
      const row = exportRow(from + line);
      if (line % 50 === 7) return { ...row, email: `unknown${line}@example.org` };
      return line % 40 === 9 ? { ...row, at: 'soon' } : row;
    });
    workspace.drop(`export ${n}.csv`, csvOf(rows), source);
  }
}

/** The outcome of each row. Which of an unknown learner's rows was refused, and which are held for that, is chance. */
function outcomeOf(row: OutcomeRow): string {
  const { source, line, disposition, state, cause } = row;
  const end = cause === 'learner-unknown' || cause === 'platform-refused' ? 'unknown learner' : state;
  return `${source} ${row.email ?? ''} ${line} ${disposition} ${end}`;
}

interface OutcomeRow {
  readonly source: string;
  readonly email: string | null;
  readonly line: number;
  readonly disposition: string;
  readonly state: string | null;
  readonly cause: string | null;
}

/** The cells distinguish the rows of different files: which of two equal files came first is chance as well. */
const OUTCOMES = `select d.source, r.cells as email, r.line, r.disposition, s.state, s.cause
  from row r join drop_file d on d.drop_id = r.drop_id left join submission s on s.submission_id = r.submission_id`;

async function outcomes({ url }: OwnServer): Promise<string[]> {
  return (await query<OutcomeRow>(url, OUTCOMES)).map(outcomeOf).sort();
}

/** The same files in a workspace of one process, with a platform that never fails. */
async function undisturbed(files: number): Promise<string[]> {
  const workspace = await soakWorkspace(null, { quota: { requests: 70, perMs: 150 } });
  for (let n = 0; n < files; n += 1) dropFiles(workspace, n);
  await workspace.run();
  // On a busy machine an answer may come too late, and its row waits for the next run.
  for (let n = 0; n < 10 && (workspace.states().waiting ?? 0) > 0; n += 1) await workspace.run();
  const { balanced, states } = await workspace.books();
  expect([balanced, states.waiting]).toEqual([true, 0]);
  return workspace.query<OutcomeRow>(OUTCOMES).map(outcomeOf).sort();
}

async function drained(workspace: TestWorkspace, { url }: OwnServer): Promise<void> {
  for (let n = 0; n < 900; n += 1) {
    const [{ left } = { left: '1' }] = await query<{ left: string }>(
      url,
      "select count(*) as left from submission where state in ('waiting', 'sending')",
    );
    const files = workspace.files('inbox').length + workspace.files('processing').length;
    if (Number(left) + files === 0) return;
    await pause(1_000);
  }
  throw new Error('rows or files are left');
}

async function query<Row>(url: string, text: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text)).rows as Row[];
  } finally {
    await client.end();
  }
}

/** The slots of lines of the schedule that were worked on to their end, one entry each time. */
function slotsDone(logs: readonly string[]): string[] {
  return logs.flatMap((log) =>
    log.split('\n').flatMap((line) => {
      if (!line.includes('"slot ended"')) return [];
      const { job, slotAt, ending } = JSON.parse(line) as Record<string, string>;
      return ending === 'done' ? [`${job} ${slotAt}`] : [];
    }),
  );
}

/** What the channel of a folder was sent: which alert, and whether it opened or is over. */
function notificationsIn(root: string): string[] {
  const file = join(root, 'alerts.jsonl');
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  return lines.flatMap((text) =>
    (JSON.parse(text) as { alerts: Record<string, unknown>[] }).alerts.map(
      ({ alert, event }) => `${event} ${alert}`,
    ),
  );
}

async function eventually(what: string, isSo: () => boolean, withinMs = 60_000): Promise<void> {
  for (const endMs = performance.now() + withinMs; !isSo(); ) {
    if (performance.now() > endMs) throw new Error(`waited in vain until ${what}`);
    await pause(20);
  }
}
