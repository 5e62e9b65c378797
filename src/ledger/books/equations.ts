import { type Selectable, sql } from 'kysely';
import { all, type Ledger, query } from '../store/query.js';
import type { Tables } from '../store/schema.js';
import { attemptIn, type ReportSelection, touchedIn } from './books.js';

/** What a control equation compares (promise 1). */
export const EQUATIONS = {
  rows: 'rows read = sum of the dispositions',
  found: 'rows read = rows that are in the ledger',
  dispositions: 'rows recorded for each disposition = rows in the ledger that have it',
  submissions: 'staged + amended + further ones of their rows + made by decisions = sum of the states',
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
  const drops = await all(
    ledger,
    query
      .selectFrom('books_drop as b')
      .innerJoin('drop_file as d', 'd.drop_id', 'b.drop_id')
      .selectAll('b')
      .where(touchedIn(selection))
      .orderBy('b.drop_id'),
  );
  const requests = await requestsIn(ledger, selection);
  const together =
    selection.runId === undefined
      ? ({ over: 'overall', subject: 'all', dropId: null } as const)
      : ({ over: 'run', subject: `run ${selection.runId}`, dropId: null } as const);
  const sources = [...new Set(drops.map(({ source }) => source))].sort();
  return [
    ...drops.flatMap((books) =>
      ofDrops({ over: 'drop', subject: nameOf(books), dropId: books.drop_id }, [books]),
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

type DropBooks = Selectable<Tables['books_drop']>;

function ofDrops(subject: Subject, drops: readonly DropBooks[]): Equation[] {
  const sum = (count: (books: DropBooks) => number) =>
    drops.reduce((total, books) => total + count(books), 0);
  const read = sum((books) => books.rows_read);
  const recorded = sum((books) => books.recorded);
  return [
    equation(subject, 'rows', read, recorded),
    equation(
      subject,
      'found',
      read,
      sum((books) => books.rows_found),
    ),
    equation(
      subject,
      'dispositions',
      recorded,
      sum((books) => books.found_as_recorded),
    ),
    equation(
      subject,
      'submissions',
      sum((books) => books.made_recorded + books.further + books.by_decision),
      sum((books) => books.in_a_state),
    ),
  ];
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
  return counted.map(({ environment, attempts }) => ({
    environment,
    attempts,
    broken: broken.find((one) => one.environment === environment)?.broken ?? 0,
  }));
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

function nameOf({ source, file_name, drop_id }: DropBooks): string {
  return `${source}/${file_name} (drop ${drop_id})`;
}
