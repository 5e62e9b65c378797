import { sql } from 'kysely';
import type { Door } from '../../domain/decider.js';
import { all, boundLimit, count, first, type Ledger, query, reading } from '../store/query.js';
import { issuesOfCorrection } from './corrected-rows.js';
import { asRecorded, recorded } from './decision-log.js';

/** A page of the list of decisions, which starts after `after`. A null doesn't filter. */
export interface DecisionListQuery {
  readonly who: string | null;
  readonly door: Door | null;
  /** The decision after which the page starts; null: the first page. */
  readonly after: number | null;
  readonly most: number;
}

/**
 * Lists decisions, the latest first, each with its result in numbers (null: it is unfinished). `total`: how many match;
 * `next`: the decision after which the next page starts; null: this is the last page.
 */
export async function listDecisions(ledger: Ledger, { who, door, after, most }: DecisionListQuery) {
  const matches = sql<boolean>`${who === null ? sql`true` : sql`who = ${who}`}
    and ${door === null ? sql`true` : sql`door = ${door}`}`;
  return reading(ledger, async (ledger) => {
    const decisions = await all(
      ledger,
      recorded()
        .where(matches)
        .where('decision_id', '<', after ?? Number.MAX_SAFE_INTEGER)
        .orderBy('decision_id', 'desc')
        .limit(boundLimit(most + 1)),
    );
    const shown = decisions.slice(0, most).map(({ lastTransitionId: _, ...row }) => asRecorded(row));
    return {
      rows: shown,
      total: await count(ledger, query.selectFrom('decision').where(matches)),
      next: decisions.length > most ? (shown.at(-1)?.decisionId ?? null) : null,
    };
  });
}

/**
 * Reads a decision with a page of the submissions that it moved or created, in their present states; null: there is no such
 * decision. `next`: the row after which the next page starts; null: this is the last page. Its issues are personal.
 */
export async function readDecision(
  ledger: Ledger,
  decisionId: number,
  { after, most }: { readonly after: number | null; readonly most: number },
) {
  return reading(ledger, async (ledger) => {
    const decision = await first(ledger, recorded().where('decision_id', '=', decisionId));
    if (decision === undefined) return null;
    const rows = await ledger.db
      .selectFrom('decision_submission as x')
      .innerJoin('submission as s', 's.submission_id', 'x.submission_id')
      .innerJoin('drop_file as d', 'd.drop_id', 's.drop_id')
      .select(['s.submission_id as submissionId', 's.drop_id as dropId', 's.line', 's.state'])
      .select('d.file_name as file')
      .where('x.decision_id', '=', decisionId)
      .where('x.submission_id', '>', after ?? 0)
      .orderBy('x.submission_id')
      .limit(boundLimit(most + 1))
      .execute();
    const shown = rows.slice(0, most);
    const next = rows.length > most ? (shown.at(-1)?.submissionId ?? null) : null;
    const { lastTransitionId: _, ...facts } = asRecorded(decision);
    return { ...facts, issues: await issuesOfCorrection(ledger, decisionId), rows: shown, next };
  });
}
