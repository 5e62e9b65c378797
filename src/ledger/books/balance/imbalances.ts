import { sql } from 'kysely';
import type { Imbalance } from '../../../documents/report.js';
import { type Equation, equationsOf } from '../../../domain/balance/equations.js';
import { differences, openOf } from '../../../domain/balance/state-counts.js';
import { mapSeries } from '../../../domain/process/series.js';
import { DISPOSITIONS } from '../../../domain/row.js';
import type { ReportSelection } from '../../drops/report-selection.js';
import { all, type Ledger, query } from '../../store/query.js';
import { touchedIn } from '../../submissions/columns.js';
import { attemptIn, type Requests, requestsIn } from '../requests.js';
import { dropBooks } from './drop-books.js';

/**
 * The control equations of the selection. There is one set for each of its drops (for a run, also each drop with a
 * submission that the run moved), for their sources, for the environments of its requests (all environments without a
 * run), and for all of these together.
 * @param requests the selection's requests, if already read.
 */
export async function equationsIn(
  ledger: Ledger,
  selection: ReportSelection,
  requests?: readonly Requests[],
): Promise<Equation[]> {
  const touched = await ledger.db
    .selectFrom('drop_file as d')
    .select('d.drop_id as id')
    .where('d.state', '=', sql.lit('published'))
    .where(touchedIn(selection))
    .execute();
  const ids = touched.map(({ id }) => id);
  const ofRequests = requests ?? (await requestsIn(ledger, selection));
  return equationsOf(await dropBooks(ledger, ids), ofRequests, selection.runId ?? null);
}

/**
 * The control equations (promise 1) of the selection that don't hold, each with its subject; []: the books balance.
 * Without the sums over several drops or environments, which fail where a part does.
 */
export async function imbalances(
  ledger: Ledger,
  selection: ReportSelection = {},
  precomputed?: readonly Equation[],
): Promise<Imbalance[]> {
  const equations = precomputed ?? (await equationsIn(ledger, selection));
  const isPart = ({ over }: Equation) => over === 'drop' || over === 'environment';
  const broken = equations.filter((one) => !one.holds && isPart(one));
  return mapSeries(broken, async (one) => {
    const { equation, subject, left: expected, right: found } = one;
    return { equation, subject, expected, found, examples: await examplesOf(ledger, selection, one) };
  });
}

const EXAMPLES = 20;

async function examplesOf(
  ledger: Ledger,
  selection: ReportSelection,
  { equation, subject, dropId }: Equation,
): Promise<string[]> {
  if (dropId === null) return brokenAttempts(ledger, selection, subject);
  const [books] = await dropBooks(ledger, [dropId]);
  if (books === undefined) return [];
  const { states, recorded, found } = books;
  // The counters, or the open items, that differ from the rows and submissions.
  if (equation === 'counters' || equation === 'items') {
    return differences(books[equation], equation === 'items' ? openOf(states) : states)
      .slice(0, EXAMPLES)
      .map(({ name, one, other }) => `${name}: ${one} counted, ${other} there`);
  }
  // The control totals that differ from the rows in the ledger.
  const totals = DISPOSITIONS.filter((name) => found[name] !== recorded[name]).map(
    (name) => `${name}: ${recorded[name]} recorded, ${found[name]} found`,
  );
  return equation === 'rows' ? totals : [...totals, ...(await submissionsAstray(ledger, dropId))];
}

/** The lines of staged rows without a submission, and of staged submissions without a row. */
async function submissionsAstray(ledger: Ledger, dropId: number): Promise<string[]> {
  const astray = sql<{ line: number; how: string }>`
    select r.line, 'is ' || r.disposition || ', and its submission is nowhere' as how from row r
    where r.drop_id = ${dropId} and r.submission_id is not null
      and not exists (select 1 from submission s where s.submission_id = r.submission_id)
    union all
    select s.line, 'became a submission, and its row is nowhere' from submission s
    where s.drop_id = ${dropId} and s.decision_id is null
      and not exists (select 1 from row r where r.drop_id = s.drop_id and r.line = s.line
        and (r.disposition = 'staged' or r.disposition = 'amended'))
    order by line limit ${sql.lit(EXAMPLES)}`;
  return (await all(ledger, astray)).map(({ line, how }) => `line ${line} ${how}`);
}

async function brokenAttempts(ledger: Ledger, selection: ReportSelection, environment: string) {
  const broken = await ledger.db
    .selectFrom('books_attempt as a')
    .leftJoin('attempt_submission as x', 'x.attempt_id', 'a.attempt_id')
    .leftJoin('submission as s', 's.submission_id', 'x.submission_id')
    .leftJoin('drop_file as d', 'd.drop_id', 's.drop_id')
    .select(['a.attempt_id as attemptId', 'a.answered', 'd.file_name as file', 's.line'])
    .where('a.environment', '=', environment)
    .where(selection.runId === undefined ? sql<boolean>`true` : attemptIn(selection))
    .orderBy('a.attempt_id')
    .limit(sql.lit(EXAMPLES))
    .execute();
  return broken.map(
    ({ attemptId, answered, file, line }) =>
      `request ${attemptId} for ${file ?? 'no file'}:${line ?? 'no row'} ${
        answered ? 'has its answer and is still open' : 'has no answer and is not open'
      }`,
  );
}

/** The maximum number of runs with unbalanced books to check again. */
const RUNS = 20;

/**
 * The latest run whose control equations don't hold (null: none), and the number of `unbalancedDrops`; null: all
 * books balance. A quick check of runs and drops; a report compares every row.
 */
export async function unbalanced(ledger: Ledger) {
  const run = await unbalancedRun(ledger);
  const files = (await unbalancedDrops(ledger)).length;
  return run === null && files === 0 ? null : { run, files };
}

async function unbalancedRun(ledger: Ledger): Promise<number | null> {
  const runs = query.selectFrom('run').select('run_id as run').where('ending', '=', 'unbalanced');
  for (const { run } of await all(ledger, runs.orderBy('run_id', 'desc').limit(sql.lit(RUNS)))) {
    if ((await equationsIn(ledger, { runId: run })).some(({ holds }) => !holds)) return run;
  }
  return null;
}

/** The published drops with more or fewer rows than the sum of their dispositions. */
export function unbalancedDrops(ledger: Ledger) {
  return all(
    ledger,
    sql<{ dropId: number; file: string }>`
      select drop_id as "dropId", file_name as file from drop_file where state = 'published'
      and rows_read <> staged + duplicate + amended + invalid + skipped + non_data + blank`,
  );
}
