import { sql } from 'kysely';
import { type Equation, equationsOf, type RequestBooks } from '../../../domain/balance/equations.js';
import type { ReportSelection } from '../../drops/report-selection.js';
import { type Ledger, query } from '../../store/query.js';
import { touchedIn } from '../../submissions/in-selection.js';
import { attemptIn } from '../books.js';
import { dropBooks } from './drop-books.js';

/**
 * The control equations of the selection. There is one set for each of its drops (for a run also each drop with a submission that
 * the run moved), for their sources, for the environments of its requests (all environments for files without a run), and for all
 * of these together.
 */
export async function equationsIn(ledger: Ledger, selection: ReportSelection): Promise<Equation[]> {
  const touched = await ledger.db
    .selectFrom('drop_file as d')
    .select('d.drop_id as id')
    .where('d.state', '=', sql.lit('published'))
    .where(touchedIn(selection))
    .execute();
  const drops = await dropBooks(
    ledger,
    touched.map(({ id }) => id),
  );
  const requests = await requestsIn(ledger, selection);
  return equationsOf(drops, requests, selection.runId ?? null);
}

async function requestsIn(ledger: Ledger, selection: ReportSelection): Promise<RequestBooks[]> {
  // A report of files alone sums over all requests: a smaller sum is no cheaper, and proves less.
  const looksAtAll = selection.runId === undefined;
  const counted = await ledger.db
    // In the order of the index, so that a million requests needn't be sorted.
    .selectFrom(
      query
        .selectFrom('attempt as a')
        .select(['a.run_id', 'a.environment', sql<number>`count(*)`.as('attempts')])
        .where(looksAtAll ? sql<boolean>`true` : attemptIn(selection))
        .groupBy(['a.run_id', 'a.environment'])
        .as('of_run'),
    )
    .select(['environment', sql<number>`sum(attempts)`.as('attempts')])
    .groupBy('environment')
    .execute();
  const broken = await ledger.db
    .selectFrom('books_attempt as a')
    .select(['a.environment', sql<number>`count(*)`.as('broken')])
    .where(looksAtAll ? isSuspect : attemptIn(selection))
    .groupBy('a.environment')
    .execute();
  const environments = counted.map(({ environment }) => environment);
  const miscounted = looksAtAll ? await answersMiscounted(ledger, environments) : new Map<string, number>();
  return counted.map(({ environment, attempts }) => ({
    environment,
    attempts,
    broken:
      (broken.find((one) => one.environment === environment)?.broken ?? 0) +
      (miscounted.get(environment) ?? 0),
  }));
}

/**
 * By how many the counters of answers differ from the answers, by environment; one whose counters are right is left out.
 * @param environments those with requests. All answers are those of the only one: looking up the request of each takes a second.
 */
async function answersMiscounted(
  ledger: Ledger,
  [environment = '', ...others]: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  // Nearly all answers are first ones: the table is read in its order, not by their index.
  const answers = ledger.db.selectFrom('response as r').where(sql<boolean>`r.late in (0)`);
  const count = sql<number>`count(*)`.as('count');
  const there =
    others.length === 0
      ? await answers
          .select([sql<string>`${environment}`.as('environment'), 'r.outcome', count])
          .groupBy('r.outcome')
          .execute()
      : await answers
          .innerJoin('attempt as a', 'a.attempt_id', 'r.attempt_id')
          .select(['a.environment', 'r.outcome', count])
          .groupBy(['a.environment', 'r.outcome'])
          .execute();
  const counters = await ledger.db.selectFrom('answer_counter').selectAll().execute();
  const differences = new Map<string, number>();
  const nameOf = ({ environment, outcome }: Pick<(typeof there)[number], 'environment' | 'outcome'>) =>
    `${environment} ${outcome}`;
  const found = new Map(there.map((one) => [nameOf(one), one]));
  const kept = new Map(counters.map((one) => [nameOf(one), one]));
  for (const one of new Map([...found, ...kept]).values()) {
    const by = Math.abs((found.get(nameOf(one))?.count ?? 0) - (kept.get(nameOf(one))?.count ?? 0));
    if (by > 0) differences.set(one.environment, (differences.get(one.environment) ?? 0) + by);
  }
  return differences;
}

/**
 * For `attempt as a`: it has no answer or is open, as every attempt that breaks the books does. Such attempts are few, and one
 * pass over tables that are in the order of attempts finds them.
 */
const isSuspect = sql<boolean>`a.attempt_id in (select attempt_id from attempt
  except select attempt_id from response where late = 0
  union all select attempt_id from attempt_open)`;
