import { sql } from 'kysely';
import type { Door } from '../../domain/decider.js';
import { isBeyond, type ListQuery } from '../store/pages.js';
import { all, boundLimit, count, first, type Ledger, query, reading } from '../store/query.js';
import { issuesOfCorrection } from './corrected-rows.js';
import { asRecorded, type DecisionKind, type DecisionResult, keptDecisions } from './decision-log.js';

/** A page of the list of decisions. A null doesn't filter. */
export interface DecisionListQuery extends ListQuery {
  readonly kind: DecisionKind | null;
  readonly who: string | null;
  readonly door: Door | null;
  /** True: only unfinished ones. */
  readonly isOpen: boolean;
}

/**
 * Lists decisions by number, a page at a time, each with its result in numbers (null: it is unfinished). `total`: how
 * many match; `next`: the decision after which the next page starts; null: this is the last page.
 */
export async function listDecisions(ledger: Ledger, page: DecisionListQuery) {
  const { isDescending, most } = page;
  return reading(ledger, async (ledger) => {
    const decisions = await all(
      ledger,
      logged()
        .where(matches(page))
        .where(isBeyond('decision_id', page))
        .orderBy('decision_id', isDescending ? 'desc' : 'asc')
        .limit(boundLimit(most + 1)),
    );
    const shown = decisions.slice(0, most).map(asLogged);
    return {
      rows: shown,
      total: await count(ledger, query.selectFrom('decision').where(matches(page))),
      next: decisions.length > most ? (shown.at(-1)?.decisionId ?? null) : null,
    };
  });
}

/**
 * Reads a decision with the submissions that it moved or created, in their present states, a page at a time; null:
 * there is no such decision. `next`: the row after which the next page starts; null: this is the last page. Personal:
 * the issues of a corrected file.
 */
export async function readDecision(
  ledger: Ledger,
  decisionId: number,
  { after, most }: { readonly after: number | null; readonly most: number },
) {
  return reading(ledger, async (ledger) => {
    const decision = await first(ledger, logged().where('decision_id', '=', decisionId));
    if (decision === undefined) return null;
    const rows = await ledger.db
      .selectFrom('decision_submission as x')
      .innerJoin('submission as s', 's.submission_id', 'x.submission_id')
      .innerJoin('drop_file as d', 'd.drop_id', 's.drop_id')
      .select([
        's.submission_id as submissionId',
        's.drop_id as dropId',
        's.line',
        'd.file_name as file',
        's.state',
      ])
      .where('x.decision_id', '=', decisionId)
      .where('x.submission_id', '>', after ?? 0)
      .orderBy('x.submission_id')
      .limit(boundLimit(most + 1))
      .execute();
    const shown = rows.slice(0, most);
    const next = rows.length > most ? (shown.at(-1)?.submissionId ?? null) : null;
    return { ...asLogged(decision), issues: await issuesOfCorrection(ledger, decisionId), rows: shown, next };
  });
}

function logged() {
  return keptDecisions().select(['selection', 'result']);
}

function asLogged<Row extends { readonly selection: string; readonly result: string | null }>({
  result,
  ...row
}: Row) {
  return { ...asRecorded(row), result: result === null ? null : (JSON.parse(result) as DecisionResult) };
}

function matches({ kind, who, door, isOpen }: Pick<DecisionListQuery, 'kind' | 'who' | 'door' | 'isOpen'>) {
  return sql<boolean>`${kind === null ? sql`true` : sql`kind = ${kind}`}
    and ${who === null ? sql`true` : sql`who = ${who}`}
    and ${door === null ? sql`true` : sql`door = ${door}`}
    and ${isOpen ? sql`finished_at is null` : sql`true`}`;
}
