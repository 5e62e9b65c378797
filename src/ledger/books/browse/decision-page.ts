import { sql } from 'kysely';
import type { Door } from '../../../domain/decider.js';
import type { DecisionKind, DecisionResult, KeptDecision } from '../../decisions/decision-log.js';
import { all, first, type Ledger, query, reading } from '../../store/query.js';
import { type BrowsedRow, rowsAt } from './browsed-rows.js';
import type { ListedPlace } from './row-places.js';

/** A decision with what it asked for and what it has done. */
export interface ListedDecision extends KeptDecision {
  /** What was asked for; learners appear as hashes. */
  readonly selection: Readonly<Record<string, unknown>>;
  /** null while it is not carried out to its end. */
  readonly result: DecisionResult | null;
}

/** Which decisions are listed. A null doesn't narrow. */
export interface DecisionsAsked {
  readonly kind: DecisionKind | null;
  readonly who: string | null;
  readonly door: Door | null;
  readonly isDescending: boolean;
  /** From 1. */
  readonly page: number;
  readonly limit: number;
}

/** Lists decisions, one page of them. */
export async function decisionPage(
  ledger: Ledger,
  { kind, who, door, isDescending, page, limit }: DecisionsAsked,
): Promise<{ readonly decisions: readonly ListedDecision[]; readonly total: number }> {
  return reading(ledger, async (ledger) => {
    const fitting = query
      .selectFrom('decision')
      .where(sql<boolean>`${kind === null ? sql`true` : sql`kind = ${kind}`}`)
      .where(sql<boolean>`${who === null ? sql`true` : sql`who = ${who}`}`)
      .where(sql<boolean>`${door === null ? sql`true` : sql`door = ${door}`}`);
    const counted = await first(ledger, fitting.select(sql<number>`count(*)`.as('count')));
    const found = await all(
      ledger,
      fitting
        .select(LISTED)
        .orderBy('decision_id', isDescending ? 'desc' : 'asc')
        .limit(sql<number>`${limit} + 0`)
        .offset(sql<number>`${(page - 1) * limit} + 0`),
    );
    return { decisions: found.map(asListed), total: counted?.count ?? 0 };
  });
}

/** A decision with a page of the rows that it is about. */
export interface DecisionWithRows {
  readonly decision: ListedDecision;
  /** Submissions by their numbers, as they are now. Personal. */
  readonly rows: readonly BrowsedRow[];
  /** The number after which the next page begins; null: there are no more. */
  readonly next: number | null;
  /** Submissions that it lists, and submissions that it made. */
  readonly listed: number;
  readonly made: number;
  /** Invalid rows that it resolved, the first of them by drop and line. */
  readonly resolved: number;
  readonly firstResolved: readonly BrowsedRow[];
}

/**
 * Reads a decision with a page of the rows that it is about; null where there is none of this number.
 * @param after the number of a submission; 0: the first page.
 */
export async function readDecision(
  ledger: Ledger,
  decisionId: number,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<DecisionWithRows | null> {
  return reading(ledger, async (ledger) => {
    const found = await first(
      ledger,
      query.selectFrom('decision').select(LISTED).where('decision_id', '=', decisionId),
    );
    if (found === undefined) return null;
    const submissions = await all(
      ledger,
      query
        .selectFrom('decision_submission as x')
        .innerJoin('submission as s', 's.submission_id', 'x.submission_id')
        .select(['s.drop_id as dropId', 's.line', 's.submission_id as submissionId', 's.state'])
        .where('x.decision_id', '=', decisionId)
        .where('x.submission_id', '>', after)
        .orderBy('x.submission_id')
        .limit(sql<number>`${limit + 1} + 0`),
    );
    const resolved = await all(
      ledger,
      query
        .selectFrom('resolution')
        .select(['drop_id as dropId', 'line'])
        .where('decision_id', '=', decisionId)
        .orderBy('drop_id')
        .orderBy('line')
        .limit(sql<number>`${limit} + 0`),
    );
    const counts = await first(
      ledger,
      query.selectNoFrom([
        sql<number>`(select count(*) from decision_submission where decision_id = ${decisionId})`.as(
          'listed',
        ),
        sql<number>`(select count(*) from submission indexed by submission_rare
          where decision_id is not null and decision_id = ${decisionId})`.as('made'),
        sql<number>`(select count(*) from resolution where decision_id = ${decisionId})`.as('resolved'),
      ]),
    );
    const shown = submissions.slice(0, limit);
    const places = resolved.map((row): ListedPlace => ({ ...row, submissionId: 0, state: 'invalid' }));
    return {
      decision: asListed(found),
      rows: await rowsAt(ledger, shown),
      next: submissions.length > limit ? (shown.at(-1)?.submissionId ?? null) : null,
      listed: counts?.listed ?? 0,
      made: counts?.made ?? 0,
      resolved: counts?.resolved ?? 0,
      firstResolved: await rowsAt(ledger, places),
    };
  });
}

const LISTED = [
  'decision_id as decisionId',
  'kind',
  'who',
  'door',
  'because',
  'made_at as madeAt',
  'finished_at as finishedAt',
  'selection',
  'result',
] as const;

function asListed<Found extends { readonly selection: string; readonly result: string | null }>({
  selection,
  result,
  ...facts
}: Found) {
  return {
    ...facts,
    selection: JSON.parse(selection) as Readonly<Record<string, unknown>>,
    result: result === null ? null : (JSON.parse(result) as DecisionResult),
  };
}
