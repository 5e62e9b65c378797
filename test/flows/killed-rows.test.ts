import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { dropMark } from '../../src/domain/attention-columns.js';
import { csvOf, exportRow } from '../support/exports.js';
import { redropText } from '../support/redrop-of.js';
import { setSources } from '../support/set-sources.js';
import { documentOf, type TestWorkspace, testWorkspace } from '../support/workspace.js';

const UNKNOWN = 'unknown@example.org';

/** More than a page. */
const ROWS = 600;

const range = Array.from({ length: ROWS }, (_, n) => n);

/** Rows of a learner whom the platform doesn't know: one is refused, the others are held. */
const HELD = range.map((n) => exportRow(n, { email: UNKNOWN, course: `HELD-${n}` }));

/** Rows that are none until the source knows their status, or somebody has corrected them. */
const ODD = range.map((n) => exportRow(n, { course: `ODD-${n}`, status: 'Waved through' }));

const folder = mkdtempSync(join(tmpdir(), 'registrar-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let isPrepared = false;

/** Drop 1 is refused and held, drop 2 invalid, and drop 3, of somebody else, waits. Made once, and copied for each kill. */
async function prepared(): Promise<TestWorkspace> {
  const source = join(folder, 'prepared');
  const spec = { unlikeReceived: 'another platform has received what came before' };
  if (!isPrepared) {
    mkdirSync(source);
    const first = await testWorkspace({
      ...spec,
      root: source,
      environments: { main: { inFlight: 1 } },
      sandbox: { learners: { unknown: [UNKNOWN] } },
    });
    first.drop('held.csv', csvOf(HELD));
    first.drop('odd.csv', csvOf(ODD));
    await first.run();
    first.drop('other.csv', csvOf([exportRow(900)]));
    await first.run('--no-push');
    isPrepared = true;
  }
  const root = mkdtempSync(join(folder, 'copy-'));
  cpSync(source, root, { recursive: true });
  const workspace = await testWorkspace({ ...spec, root });
  setSources(workspace, { status: { completed: ['waved through'] } });
  return workspace;
}

/** What whoever comes next may want: it has nothing to do with what was killed. */
const NEXT = [
  ['run', '--no-push'],
  ['dismiss', '--file', 'other.csv', '--state', 'waiting', '--because', 'a test'],
  ['map', 'learner900@example.org', 'ada@example.org', '--because', 'she has married'],
] as const;

const MOMENTS = ['decision-opened', 'page-committed', 'decision-carried-out'];
const INTAKE_MOMENTS = [
  'decision-opened',
  'drop-begun',
  'batch-committed',
  'drop-published',
  'page-committed',
  'drop-settled',
  'drop-placed',
  'decision-carried-out',
];

interface Killed {
  readonly kind: string;
  readonly moments: readonly string[];
  readonly args: (workspace: TestWorkspace) => readonly string[];
  /** What `decision.result` says in the end. */
  readonly result: Readonly<Record<string, number>>;
  /** How many submissions are in which state in the end, those of other.csv left out. */
  readonly states: Readonly<Record<string, number>>;
  /** A row that it is about. */
  readonly traced: string;
}

const LEFT = { held: ROWS - 1, rejected: 1 };
const BECAUSE = ['--because', 'as agreed'];

it.each<Killed>([
  {
    kind: 'restage',
    moments: MOMENTS,
    args: () => ['restage', 'odd.csv'],
    result: { moved: 0, made: ROWS, resolved: ROWS },
    states: { ...LEFT, waiting: ROWS },
    traced: 'odd.csv:590',
  },
  {
    kind: 'rerun',
    moments: MOMENTS,
    args: () => ['rerun', '--state', 'held,rejected'],
    result: { moved: ROWS, made: 0, resolved: 0 },
    states: { waiting: ROWS },
    traced: 'held.csv:590',
  },
  {
    kind: 'dismiss',
    moments: MOMENTS,
    args: () => ['dismiss', '--state', 'held,rejected'],
    result: { moved: ROWS, made: 0, resolved: 0 },
    states: { dismissed: ROWS },
    traced: 'held.csv:590',
  },
  {
    kind: 'correct',
    moments: INTAKE_MOMENTS,
    args: (workspace) => ['correct', mendedFile(workspace)],
    result: { moved: 0, made: 0, resolved: ROWS },
    states: { ...LEFT, waiting: ROWS },
    traced: 'odd.csv:590',
  },
  {
    kind: 'correct',
    moments: INTAKE_MOMENTS,
    args: () => ['correct', 'held.csv:590', '--set', 'Email=ada@example.org'],
    result: { moved: 1, made: 0, resolved: 0 },
    states: { held: ROWS - 2, rejected: 1, replaced: 1, waiting: 1 },
    traced: 'held.csv:590',
  },
])(
  '$kind ($traced), killed at any moment, is finished once by whichever command comes next',
  {
    timeout: 240_000,
  },
  async ({ kind, moments, args, result, states, traced }) => {
    for (const [index, moment] of moments.entries()) {
      const workspace = await prepared();
      const command = [...args(workspace), ...BECAUSE];
      const killed = await workspace.startWith({ REGISTRAR_FAILPOINT: moment }, ...command).ended;
      expect([moment, killed.code]).toEqual([moment, null]);

      const next = await workspace.cli(...(NEXT[index % NEXT.length] ?? []));
      expect([moment, next.code]).toEqual([moment, 0]);
      expect(next.stderr).toMatch(
        new RegExp(`^Decision 1, ${kind} of .*, had been broken off, and is carried out now\\.\\n$`),
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
      expect(workspace.query('select name from lease where owner is not null')).toEqual([]);
      expect(workspace.posts()).toBe(0);
    }
  },
);

it('a correction whose process died before anything was decided leaves nothing behind', async () => {
  const workspace = await prepared();
  const command = ['correct', 'held.csv:590', '--set', 'Email=ada@example.org', ...BECAUSE];
  const killed = await workspace.startWith({ REGISTRAR_FAILPOINT: 'correction-kept' }, ...command).ended;
  expect(killed.code).toBeNull();
  expect(workspace.files('processing')).toEqual([
    expect.stringMatching(/^academy\/correction-[0-9a-f]{16}-held-590\.attention\.xlsx$/),
  ]);
  await workspace.run('--no-push');
  expect(workspace.files('processing')).toEqual([]);
  expect(workspace.query('select * from decision')).toEqual([]);
  expect(statesOf(workspace)).toEqual(LEFT);
});

it('a corrected row whose process died is sent once', async () => {
  const workspace = await prepared();
  const command = ['correct', 'odd.csv:590', '--set', 'Status=Completed', ...BECAUSE];
  await workspace.startWith({ REGISTRAR_FAILPOINT: 'batch-committed' }, ...command).ended;
  await workspace.run();
  await workspace.run();
  const contents = workspace.sandbox.platform.completions().map(({ attributes }) => attributes['content-id']);
  expect(contents.sort()).toEqual([exportRow(900).course, 'ODD-588'].sort());
  expect(workspace.sandbox.platform.stats().repeatedWrites).toBe(0);
});

/** The attention file of odd.csv with all rows corrected. */
function mendedFile({ root, query }: TestWorkspace): string {
  const [drop] = query<{ id: number; sha256: string }>(
    `select drop_id as id, sha256 from "drop" where file_name = 'odd.csv'`,
  );
  const rows = ODD.map((row, n) => ({ of: n + 2, row: { ...row, status: 'Completed' } }));
  const path = join(root, 'mended.csv');
  writeFileSync(path, redropText(dropMark(drop?.id ?? 0, drop?.sha256 ?? ''), rows));
  return path;
}

function statesOf({ query }: TestWorkspace): Record<string, number> {
  const counted = query<{ state: string; count: number }>(
    `select s.state, count(*) as count from submission s join "drop" d using (drop_id)
     where d.file_name <> 'other.csv' group by s.state`,
  );
  return Object.fromEntries(counted.map(({ state, count }) => [state, count]));
}

/** How many decisions a trace tells of. */
function decisionsIn(traced: Parameters<typeof documentOf>[0]): number {
  const text = JSON.stringify(documentOf<unknown>(traced));
  return new Set(text.match(/"decision(?:Id)?":\d+/g)?.map((found) => found.replace(/\D/g, ''))).size;
}
