import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { dropMark } from '../../src/domain/files/attention-columns.js';
import { correctedFileText } from './corrected-file-of.js';
import { csvOf, exportRow } from './exports.js';
import { preparedWorkspace } from './prepared-workspace.js';
import { sampled } from './samples.js';
import { setSources } from './set-sources.js';
import { documentOf, type TestWorkspace, testWorkspace, type WorkspaceSpec } from './workspace.js';

const UNKNOWN = 'unknown@example.org';

/** More than a page. */
const ROWS = 510;

/** The rows of odd.csv. */
export const ODD_ROWS = ROWS;

const range = Array.from({ length: ROWS }, (_, n) => n);

/** Rows of a learner whom the platform doesn't know: one is refused, the others are held. */
const HELD = range.map((n) => exportRow(n, { email: UNKNOWN, course: `HELD-${n}` }));

/** Rows that are invalid until the source knows their status, or a person corrects them. */
const ODD = range.map((n) => exportRow(n, { course: `ODD-${n}`, status: 'Waved through' }));

const copy = preparedWorkspace(async (root) => {
  const first = await testWorkspace({
    root,
    environments: { main: { inFlight: 1 } },
    sandbox: { learners: { unknown: [UNKNOWN] } },
  });
  first.drop('held.csv', csvOf(HELD));
  first.drop('odd.csv', csvOf(ODD));
  await first.run();
  first.drop('other.csv', csvOf([exportRow(900)]));
  await first.run('--no-push');
  return first;
});

/** Drop 1 is refused and held, drop 2 invalid, and drop 3, of another learner, waits. Made once, and copied for each kill. */
export async function prepared(): Promise<TestWorkspace> {
  return knowingTheStatus(await copy());
}

/** A copy as a killed program has left it. */
export async function afterKill(copied: WorkspaceSpec): Promise<TestWorkspace> {
  return knowingTheStatus(await testWorkspace(copied));
}

function knowingTheStatus(workspace: TestWorkspace): TestWorkspace {
  setSources(workspace, { status: { completed: ['waved through'] } });
  return workspace;
}

/** A later command, unrelated to the killed one. */
const NEXT = [
  ['run', '--no-push'],
  ['dismiss', '--file', 'other.csv', '--state', 'waiting', '--because', 'a test'],
  ['map', 'learner900@example.org', 'ada@example.org', '--because', 'she has married'],
] as const;

const MOMENTS = ['decision-opened', 'page-committed', 'decision-carried-out'];

/** A decision whose process is killed, and its outcome. */
export interface Killed {
  readonly kind: string;
  readonly moments: readonly string[];
  readonly args: readonly string[];
  /** What `decision.result` says in the end. */
  readonly result: Readonly<Record<string, number>>;
  /** How many submissions are in which state in the end, those of other.csv left out. */
  readonly states: Readonly<Record<string, number>>;
  /** A row that it is about. */
  readonly traced: string;
}

export const UNMOVED = { held: ROWS - 1, rejected: 1 };
export const REASON = ['--because', 'as agreed'];

/** A decision that makes rows of its own. */
export const RESTAGE: Killed = {
  kind: 'restage',
  moments: MOMENTS,
  args: ['restage', 'odd.csv'],
  result: { moved: 0, made: ROWS, resolved: ROWS },
  states: { ...UNMOVED, waiting: ROWS },
  traced: 'odd.csv:506',
};

/** Decisions about many existing rows, and about one. */
export const RERUN_DISMISS_CORRECT: readonly Killed[] = [
  {
    kind: 'rerun',
    moments: MOMENTS,
    args: ['rerun', '--state', 'held,rejected'],
    result: { moved: ROWS, made: 0, resolved: 0 },
    states: { waiting: ROWS },
    traced: 'held.csv:506',
  },
  {
    kind: 'dismiss',
    moments: MOMENTS,
    args: ['dismiss', '--state', 'held,rejected'],
    result: { moved: ROWS, made: 0, resolved: 0 },
    states: { dismissed: ROWS },
    traced: 'held.csv:506',
  },
  {
    kind: 'correct',
    moments: MOMENTS,
    args: ['correct', 'held.csv:506', '--set', 'Email=ada@example.org'],
    result: { moved: 1, made: 1, resolved: 0 },
    states: { held: ROWS - 2, rejected: 1, replaced: 1, waiting: 1 },
    traced: 'held.csv:506',
  },
];

/** Kills the command at each of its moments, and has another command finish it each time. */
export async function finishedOnce({ kind, moments, args, result, states, traced }: Killed): Promise<void> {
  for (const [index, moment] of sampled(moments).entries()) {
    const workspace = await prepared();
    const command = [...args, ...REASON];
    const killed = await workspace.startWith({ REGISTRAR_FAILPOINT: moment }, ...command).ended;
    expect([moment, killed.code]).toEqual([moment, null]);

    const next = await workspace.cli(...(NEXT[index % NEXT.length] ?? []));
    expect([moment, next.code]).toEqual([moment, 0]);
    expect(next.stderr).toMatch(
      new RegExp(`^Decision 1, ${kind} of .*, was interrupted, and is resumed now\\.\\n$`),
    );

    const found = workspace.query<{ kind: string; because: string; result: string | null }>(
      `select kind, because, result from decision where because = 'as agreed'`,
    );
    expect([moment, found]).toEqual([
      moment,
      [{ kind, because: 'as agreed', result: JSON.stringify(result) }],
    ]);
    expect([moment, statesOf(workspace)]).toEqual([moment, states]);
    expect([moment, decisionsIn(await workspace.cli('trace', traced, '--json'))]).toEqual([moment, 1]);
    expect((await workspace.books()).balanced).toBe(true);
    expect(workspace.files('processing')).toEqual([]);
    // Only the next run adopts the killed one, which has a lease in a database.
    expect(
      workspace.query("select name from lease where owner is not null and name not like 'run:%'"),
    ).toEqual([]);
    expect(workspace.posts()).toBe(0);
  }
}

/** The attention file of odd.csv with all rows corrected. */
export function correctedFile({ root, query }: TestWorkspace): string {
  const [drop] = query<{ id: number; sha256: string }>(
    `select drop_id as id, sha256 from drop_file where file_name = 'odd.csv'`,
  );
  const rows = ODD.map((row, n) => ({ of: n + 2, row: { ...row, status: 'Completed' } }));
  const path = join(root, 'mended.csv');
  writeFileSync(path, correctedFileText(dropMark(drop?.id ?? 0, drop?.sha256 ?? ''), rows));
  return path;
}

export function statesOf({ query }: TestWorkspace): Record<string, number> {
  const counted = query<{ state: string; count: number }>(
    `select s.state, count(*) as count from submission s join drop_file d using (drop_id)
     where d.file_name <> 'other.csv' group by s.state`,
  );
  return Object.fromEntries(counted.map(({ state, count }) => [state, count]));
}

/** How many decisions a trace has. */
function decisionsIn(traced: Parameters<typeof documentOf>[0]): number {
  const text = JSON.stringify(documentOf<unknown>(traced));
  return new Set(text.match(/"decision(?:Id)?":\d+/g)?.map((found) => found.replace(/\D/g, ''))).size;
}
