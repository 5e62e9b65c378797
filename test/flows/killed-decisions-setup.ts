import { createHash } from 'node:crypto';
import { expect } from 'vitest';
import { csvOf, exportRow, exportRows } from '../support/exports.js';
import { preparedWorkspace } from '../support/prepared-workspace.js';
import { sampled } from '../support/samples.js';
import { imbalancesOf } from '../support/snapshot-ledger.js';
import { type TestWorkspace, testWorkspace } from '../support/workspace.js';

export const JANE = 'jane.canary@example.org';
export const NEW_JANE = 'jane.new@example.org';

/** More of her rows than go into one transaction of any decision, among others' in two pages. */
export const JANES_ROWS = 510;
const OTHERS_BEFORE = 600;
const OTHERS_AFTER = 60;
/** More rows than go into two transactions of a purge. */
const CLOSED = 1_010;

/** A workspace with a file of Jane's rows and others', which wait, and one of rows that are dismissed. */
export const workspaceWithJane = preparedWorkspace(async (root) => {
  const workspace = await testWorkspace({ root });
  const janesRows = Array.from({ length: JANES_ROWS }, (_, n) =>
    exportRow(n, { email: JANE, course: `COURSE-${n}`, at: '2025-01-05 08:00:00' }),
  );
  workspace.drop(
    'jane.csv',
    csvOf([...exportRows(OTHERS_BEFORE, 10_000), ...janesRows, ...exportRows(OTHERS_AFTER, 20_000)]),
  );
  workspace.drop('closed.csv', csvOf(exportRows(CLOSED, 30_000)));
  await workspace.run('--no-push');
  await workspace.cli(
    'dismiss',
    '--file',
    'closed.csv',
    '--state',
    'waiting',
    '--because',
    'entered by hand',
  );
  return workspace;
});

/** Commands that write: each must first finish the work that another one has left. */
export const DISMISS = ['dismiss', '--row', '1', '--state', 'waiting', '--because', 'a test account'];
export const STAGE = ['run', '--no-push'];

/** Each start of the program takes up to a second on a busy machine. */
export const SLOW = { timeout: 300_000 };

/** All that a decision may change, thousands of rows as a digest, and the decisions themselves but who made them and when. */
export async function outcome(workspace: TestWorkspace) {
  const { query, states } = workspace;
  return {
    states: states(),
    submissions: sha256(
      query(
        `select drop_id, line, learner_hash as learner, content, occurred_at, revision, state, cause, repeats,
          record is null as erased, successor_id is null as last, decision_id from submission_record
          order by drop_id, line, learner, content, occurred_at, revision`,
      ),
    ),
    rows: sha256(query('select drop_id, line, disposition, submission_id, cells from row order by 1, 2')),
    decisions: query(
      'select kind, finished_at is not null as finished, result from decision order by decision_id',
    ),
    identifiers: query('select * from forget_identifier'),
    imbalances: await imbalancesOf(workspace),
  };
}

function sha256(rows: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(rows)).digest('hex');
}

/** Runs a command undisturbed, and then another one, which must finish any rest of the first. */
export async function undisturbed(
  workspace: TestWorkspace,
  command: readonly string[],
  then: readonly string[],
) {
  expect((await workspace.cli(...command)).stderr).toBe('');
  await workspace.cli(...then);
  return outcome(workspace);
}

/** The same where the first is killed. */
export async function killedAt(
  failpoint: string,
  workspace: TestWorkspace,
  command: readonly string[],
  then: readonly string[],
) {
  const killed = await workspace.startWith({ REGISTRAR_FAILPOINT: failpoint }, ...command).ended;
  expect([failpoint, killed.code, killed.stderr]).toEqual([failpoint, null, '']);
  const [status] = workspace.query<{ open: number }>(
    'select count(*) as open from decision where finished_at is null',
  );
  expect(status).toEqual({ open: 1 });
  await workspace.cli(...then);
  return outcome(workspace);
}

export const FAILPOINTS = sampled([
  'decision-opened:1',
  'page-committed:1',
  'decision-carried-out:1',
  'page-committed:2',
]);

/** Decisions that are named in what `trace` says, by kind. */
export async function decisionsTraced(workspace: TestWorkspace, what: string): Promise<readonly string[]> {
  const { stdout } = await workspace.cli('trace', what);
  const named = stdout.replace(/\s+/g, ' ').matchAll(/(\w+) of \S+ at \S+, decision \d+/g);
  return [...new Set([...named].map(([text]) => text))].map((text) => text.split(' ')[0] ?? '');
}
