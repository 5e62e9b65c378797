import type { Disposition } from '../row.js';
import { openOf, type Standings, size } from './standings.js';

export const EQUATIONS = {
  rows: 'rows read = sum of the dispositions',
  found: 'rows read = rows that are in the ledger',
  dispositions: 'rows recorded for each disposition = rows in the ledger that have it',
  submissions: 'staged + amended + further ones of their rows + made by decisions = sum of the states',
  counters: 'counters = rows and submissions in that state',
  items: 'open items = rows and submissions that need attention',
  attempts: 'requests = answered + ended without an answer + under way',
} as const;

export type EquationName = keyof typeof EQUATIONS;

export interface Equation {
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

/** A published drop, summed in each way that must agree with the others. */
export interface DropBooks {
  readonly dropId: number;
  readonly source: string;
  readonly file: string;
  readonly rowsRead: number;
  /** Beyond the first submission of a row. */
  readonly further: number;
  /** By disposition, as staging counted them and as they are there. */
  readonly recorded: Readonly<Record<Disposition, number>>;
  readonly found: Readonly<Record<Disposition, number>>;
  readonly submissions: number;
  readonly byDecision: number;
  /** Per `standingName`: as they are, by the counters, and by the open items. */
  readonly standing: Standings;
  readonly counters: Standings;
  readonly items: Standings;
}

export interface RequestBooks {
  readonly environment: string;
  readonly attempts: number;
  /** Requests that are neither answered nor under way, or both. */
  readonly broken: number;
}

/** @param runId the run whose books these are; null: they are about files alone. */
export function equationsOf(
  drops: readonly DropBooks[],
  requests: readonly RequestBooks[],
  runId: number | null,
): Equation[] {
  const together =
    runId === null
      ? ({ over: 'overall', subject: 'all', dropId: null } as const)
      : ({ over: 'run', subject: `run ${runId}`, dropId: null } as const);
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
  const read = sum(({ rowsRead }) => rowsRead);
  const recorded = sum((books) => total(books.recorded));
  const found = sum((books) => total(books.found));
  const alike = sum((books) => agreed(entriesOf(books.recorded), entriesOf(books.found)));
  const created = sum(
    ({ recorded, further, byDecision }) => recorded.staged + recorded.amended + further + byDecision,
  );
  const submissions = sum((books) => books.submissions);
  const counters = sum((books) => size(books.counters));
  const countedRightly = sum((books) => agreed(books.counters, books.standing));
  const items = sum((books) => size(books.items));
  const listedRightly = sum((books) => agreed(books.items, openOf(books.standing)));
  return [
    equation(subject, 'rows', read, recorded),
    equation(subject, 'found', read, found),
    equation(subject, 'dispositions', recorded, alike),
    equation(subject, 'submissions', created, submissions),
    equation(subject, 'counters', counters, countedRightly),
    equation(subject, 'items', items, listedRightly),
  ];
}

function entriesOf(counts: Readonly<Record<string, number>>): Standings {
  return new Map(Object.entries(counts));
}

function total(counts: Readonly<Record<string, number>>): number {
  return size(entriesOf(counts));
}

/** Where one way counts more, all that it counts. */
function agreed(counted: Standings, there: Standings): number {
  if (size(there) > size(counted)) return size(there);
  return [...counted].reduce((sum, [name, count]) => sum + Math.min(count, there.get(name) ?? 0), 0);
}

function ofRequests(subject: Subject, requests: readonly RequestBooks[]): Equation {
  const attempts = requests.reduce((total, books) => total + books.attempts, 0);
  const broken = requests.reduce((total, books) => total + books.broken, 0);
  return equation(subject, 'attempts', attempts, attempts - broken);
}

function equation(subject: Subject, name: EquationName, left: number, right: number): Equation {
  return { ...subject, equation: name, left, right, holds: left === right };
}

function nameOf({ source, file, dropId }: DropBooks): string {
  return `${source}/${file} (drop ${dropId})`;
}
