import { grouped } from '../grouped.js';
import type { Disposition } from '../row.js';
import { openOf, type StateCounts, size } from './state-counts.js';

export const EQUATIONS = {
  rows: 'rows read = sum of the dispositions',
  found: 'rows read = rows that are in the ledger',
  dispositions: 'rows recorded for each disposition = rows in the ledger that have it',
  submissions: 'staged + amended + further submissions of their rows + made by decisions = sum of the states',
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
  /** Per `stateKey`: as they are, by the counters, and by the open items. */
  readonly states: StateCounts;
  readonly counters: StateCounts;
  readonly items: StateCounts;
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
  const over = runId === null ? 'overall' : 'run';
  const together: Subject = { over, subject: runId === null ? 'all' : `run ${runId}`, dropId: null };
  const summed = drops.map((books) => ({ ...books, sides: sidesOfDrop(books) }));
  const sources = grouped(summed, ({ source }) => source);
  return [
    ...summed.flatMap((books) => {
      const { source, file, dropId } = books;
      return ofDrops({ over: 'drop', subject: `${source}/${file} (drop ${dropId})`, dropId }, [books]);
    }),
    ...[...sources.keys()].sort().flatMap((subject) => {
      return ofDrops({ over: 'source', subject, dropId: null }, sources.get(subject) ?? []);
    }),
    ...requests.map((books) =>
      ofRequests({ over: 'environment', subject: books.environment, dropId: null }, [books]),
    ),
    ...ofDrops(together, summed),
    ofRequests(together, requests),
  ];
}

type Subject = Pick<Equation, 'over' | 'subject' | 'dropId'>;

type Sides = readonly [left: number, right: number];

const OF_DROPS = ['rows', 'found', 'dispositions', 'submissions', 'counters', 'items'] as const;

type DropSides = Readonly<Record<(typeof OF_DROPS)[number], Sides>>;

function sidesOfDrop(books: DropBooks): DropSides {
  const { rowsRead, further, byDecision, submissions, states, counters, items } = books;
  const { staged, amended } = books.recorded;
  const [recorded, found] = [counted(books.recorded), counted(books.found)];
  return {
    rows: [rowsRead, size(recorded)],
    found: [rowsRead, size(found)],
    dispositions: sidesOf(recorded, found),
    submissions: [staged + amended + further + byDecision, submissions],
    counters: sidesOf(counters, states),
    items: sidesOf(items, openOf(states)),
  };
}

function ofDrops(subject: Subject, drops: readonly { readonly sides: DropSides }[]): Equation[] {
  return OF_DROPS.map((name) =>
    equation(
      subject,
      name,
      drops.map(({ sides }) => sides[name]),
    ),
  );
}

function counted(counts: Readonly<Record<string, number>>): StateCounts {
  return new Map(Object.entries(counts));
}

/** All that is counted, and how many are counted alike; where there is more than that, all that is there. */
function sidesOf(counts: StateCounts, there: StateCounts): Sides {
  const [left, most] = [size(counts), size(there)];
  const alike = [...counts].reduce((sum, [name, count]) => sum + Math.min(count, there.get(name) ?? 0), 0);
  return [left, most > left ? most : alike];
}

function ofRequests(subject: Subject, requests: readonly RequestBooks[]): Equation {
  const sides = requests.map(({ attempts, broken }): Sides => [attempts, attempts - broken]);
  return equation(subject, 'attempts', sides);
}

function equation(subject: Subject, name: EquationName, sides: readonly Sides[]): Equation {
  const left = sides.reduce((sum, [one]) => sum + one, 0);
  const right = sides.reduce((sum, [, other]) => sum + other, 0);
  return { ...subject, equation: name, left, right, holds: left === right };
}
