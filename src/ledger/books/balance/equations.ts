import { sql } from 'kysely';
import type { ReportSelection } from '../../drops/report-selection.js';
import { all, type Ledger, query } from '../../store/query.js';
import { touchedIn } from '../../submissions/in-selection.js';
import { attemptIn } from '../books.js';
import { type DropBooks, dropBooks, openOf, type Standings, size } from '../drop-books.js';

/** What a control equation compares (promise 1). */
export const EQUATIONS = {
  rows: 'rows read = sum of the dispositions',
  found: 'rows read = rows that are in the ledger',
  dispositions: 'rows recorded for each disposition = rows in the ledger that have it',
  submissions: 'staged + amended + further ones of their rows + made by decisions = sum of the states',
  counters: 'counters = rows and submissions that stand so',
  items: 'open items = rows and submissions that need a person',
  attempts: 'requests = answered + ended without an answer + under way',
} as const;

export type EquationName = keyof typeof EQUATIONS;

/** One control equation with its two sides. */
export interface Equation {
  /** The rows that the equation sums over. */
  readonly over: 'drop' | 'source' | 'environment' | 'run' | 'overall';
  /** `academy/march.csv (drop 3)`, the source, the environment, `run 7`; `all` overall. */
  readonly subject: string;
  readonly equation: EquationName;
  readonly left: number;
  readonly right: number;
  readonly holds: boolean;
  /** Of a drop; null for the others. */
  readonly dropId: number | null;
}

/**
 * The control equations of the selection. There is one set for each of its drops (for a run also each drop with a submission that
 * the run moved), for their sources, for the environments of its requests (all environments for files without a run), and for all
 * of these together.
 */
export async function equationsIn(ledger: Ledger, selection: ReportSelection): Promise<Equation[]> {
  const touched = await all(
    ledger,
    query
      .selectFrom('drop_file as d')
      .select('d.drop_id as id')
      .where('d.state', '=', sql.lit('published'))
      .where(touchedIn(selection)),
  );
  const drops = await dropBooks(
    ledger,
    touched.map(({ id }) => id),
  );
  const requests = await requestsIn(ledger, selection);
  const together =
    selection.runId === undefined
      ? ({ over: 'overall', subject: 'all', dropId: null } as const)
      : ({ over: 'run', subject: `run ${selection.runId}`, dropId: null } as const);
  const sources = [...new Set(drops.map(({ source }) => source))].sort();
  return [
    ...drops.flatMap((books) =>
      ofDrops({ over: 'drop', subject: nameOf(books), dropId: books.dropId }, [books]),
    ),
    ...sources.flatMap((subject) =>
      ofDrops(
        { over: 'source', subject, dropId: null },
        drops.filter(({ source }) => source === subject),
      ),
    ),
    ...requests.map((books) =>
      ofRequests({ over: 'environment', subject: books.environment, dropId: null }, [books]),
    ),
    ...ofDrops(together, drops),
    ofRequests(together, requests),
  ];
}

type Subject = Pick<Equation, 'over' | 'subject' | 'dropId'>;

function ofDrops(subject: Subject, drops: readonly DropBooks[]): Equation[] {
  const sum = (count: (books: DropBooks) => number) =>
    drops.reduce((total, books) => total + count(books), 0);
  const recorded = sum((books) => total(books.recorded));
  const made = sum(
    ({ recorded, further, byDecision }) => recorded.staged + recorded.amended + further + byDecision,
  );
  const of = (name: EquationName, left: number, right: number) => equation(subject, name, left, right);
  return [
    of(
      'rows',
      sum((books) => books.rowsRead),
      recorded,
    ),
    of(
      'found',
      sum((books) => books.rowsRead),
      sum((books) => total(books.found)),
    ),
    of(
      'dispositions',
      recorded,
      sum(({ recorded, found }) => agreed(entriesOf(recorded), entriesOf(found))),
    ),
    of(
      'submissions',
      made,
      sum((books) => books.submissions),
    ),
    of(
      'counters',
      sum(({ counters }) => size(counters)),
      sum(({ counters, standing }) => agreed(counters, standing)),
    ),
    of(
      'items',
      sum(({ items }) => size(items)),
      sum(({ items, standing }) => agreed(items, openOf(standing))),
    ),
  ];
}

function entriesOf(counts: Readonly<Record<string, number>>): Standings {
  return new Map(Object.entries(counts));
}

function total(counts: Readonly<Record<string, number>>): number {
  return size(entriesOf(counts));
}

/** How many are counted alike in both ways; where one way counts more, all that it counts. */
function agreed(counted: Standings, there: Standings): number {
  if (size(there) > size(counted)) return size(there);
  return [...counted].reduce((sum, [name, count]) => sum + Math.min(count, there.get(name) ?? 0), 0);
}

interface RequestBooks {
  readonly environment: string;
  readonly attempts: number;
  /** Requests that are neither answered nor under way, or both. */
  readonly broken: number;
}

function ofRequests(subject: Subject, requests: readonly RequestBooks[]): Equation {
  const attempts = requests.reduce((total, books) => total + books.attempts, 0);
  const broken = requests.reduce((total, books) => total + books.broken, 0);
  return equation(subject, 'attempts', attempts, attempts - broken);
}

async function requestsIn(ledger: Ledger, selection: ReportSelection): Promise<RequestBooks[]> {
  // A report of files alone sums over all requests: a smaller sum is no cheaper, and proves less.
  const looksAtAll = selection.runId === undefined;
  const counted = await all(
    ledger,
    query
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
      .groupBy('environment'),
  );
  const broken = await all(
    ledger,
    query
      .selectFrom('books_attempt as a')
      .select(['a.environment', sql<number>`count(*)`.as('broken')])
      .where(looksAtAll ? isSuspect : attemptIn(selection))
      .groupBy('a.environment'),
  );
  const miscounted = looksAtAll ? await answersMiscounted(ledger) : new Map<string, number>();
  return counted.map(({ environment, attempts }) => ({
    environment,
    attempts,
    broken:
      (broken.find((one) => one.environment === environment)?.broken ?? 0) +
      (miscounted.get(environment) ?? 0),
  }));
}

/** By how many the counters of answers differ from the answers, by environment; one whose counters are right is left out. */
async function answersMiscounted(ledger: Ledger): Promise<ReadonlyMap<string, number>> {
  const there = await all(
    ledger,
    query
      .selectFrom('response as r')
      .innerJoin('attempt as a', 'a.attempt_id', 'r.attempt_id')
      .select(['a.environment', 'r.outcome', sql<number>`count(*)`.as('count')])
      .where('r.late', '=', 0)
      .groupBy(['a.environment', 'r.outcome']),
  );
  const counters = await all(ledger, query.selectFrom('answer_counter').selectAll());
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

function equation(subject: Subject, name: EquationName, left: number, right: number): Equation {
  return { ...subject, equation: name, left, right, holds: left === right };
}

function nameOf({ source, file, dropId }: DropBooks): string {
  return `${source}/${file} (drop ${dropId})`;
}
