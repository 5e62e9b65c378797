import { sql } from 'kysely';
import type { OutcomeKind } from '../../domain/outcome.js';
import { all, first, type Ledger, query, reading } from '../store/query.js';

/** What was counted so far of what only grows: the answers to requests, and the files that came in. */
export interface Counted {
  /** First answers, and requests that ended without one. */
  readonly attempts: readonly {
    readonly environment: string;
    readonly outcome: OutcomeKind;
    readonly count: number;
  }[];
  /** The latest ISO time at which a file of the source came in, repeated ones included. */
  readonly arrivals: readonly { readonly source: string; readonly at: string }[];
  /** Where the count goes on. */
  readonly upTo: { readonly response: number; readonly arrival: number };
  /** False while more than a page is left to count. */
  readonly isComplete: boolean;
}

/** Nothing counted yet. */
export const NOTHING_COUNTED: Counted = {
  attempts: [],
  arrivals: [],
  upTo: { response: 0, arrival: 0 },
  isComplete: false,
};

/** The latest arrivals are read again: a file that changed while it was staged gives its number to another one. */
const AGAIN = 100;

/** Counting one takes some 0.5 µs: a page takes ten milliseconds. */
const PAGE_ROWS = 20_000;

/**
 * Counts answers by outcome and finds the latest arrivals, from where an earlier count ended: a page for each call, so that
 * a million requests keep nobody waiting.
 */
export async function countOn(ledger: Ledger, before: Counted): Promise<Counted> {
  return reading(ledger, async (ledger) => {
    const highest = await first(
      ledger,
      query
        .selectFrom('ledger')
        .select([
          sql<number>`(select coalesce(max(response_id), 0) from response)`.as('response'),
          sql<number>`(select coalesce(max(arrival_id), 0) from arrival)`.as('arrival'),
        ]),
    );
    const upTo = {
      response: Math.min(highest?.response ?? 0, before.upTo.response + PAGE_ROWS),
      arrival: Math.min(highest?.arrival ?? 0, before.upTo.arrival + PAGE_ROWS),
    };
    return {
      attempts: together(before.attempts, await answered(ledger, before.upTo.response, upTo.response)),
      arrivals: latest(before.arrivals, await arrived(ledger, before.upTo.arrival - AGAIN, upTo.arrival)),
      upTo,
      isComplete: upTo.response === highest?.response && upTo.arrival === highest.arrival,
    };
  });
}

async function answered(ledger: Ledger, after: number, upTo: number): Promise<Counted['attempts']> {
  if (upTo <= after) return [];
  return all(
    ledger,
    query
      .selectFrom('response as r')
      .innerJoin('attempt as a', 'a.attempt_id', 'r.attempt_id')
      .select(['a.environment', 'r.outcome', sql<number>`count(*)`.as('count')])
      .where('r.response_id', '>', after)
      .where('r.response_id', '<=', upTo)
      .where('r.late', '=', 0)
      .groupBy(['a.environment', 'r.outcome']),
  );
}

async function arrived(ledger: Ledger, after: number, upTo: number): Promise<Counted['arrivals']> {
  if (upTo <= after) return [];
  return all(
    ledger,
    query
      .selectFrom('arrival as a')
      .innerJoin('drop_file as d', 'd.drop_id', 'a.drop_id')
      .select(['d.source', sql<string>`max(a.arrived_at)`.as('at')])
      .where('a.arrival_id', '>', after)
      .where('a.arrival_id', '<=', upTo)
      .groupBy('d.source'),
  );
}

function together(before: Counted['attempts'], more: Counted['attempts']): Counted['attempts'] {
  const isSame = (one: Counted['attempts'][number]) => (other: Counted['attempts'][number]) =>
    one.environment === other.environment && one.outcome === other.outcome;
  const added = before.map((one) => ({ ...one, count: one.count + (more.find(isSame(one))?.count ?? 0) }));
  return [...added, ...more.filter((one) => !before.some(isSame(one)))];
}

function latest(before: Counted['arrivals'], more: Counted['arrivals']): Counted['arrivals'] {
  const times = new Map(before.map(({ source, at }) => [source, at]));
  for (const { source, at } of more) if (at > (times.get(source) ?? '')) times.set(source, at);
  return [...times].map(([source, at]) => ({ source, at }));
}
