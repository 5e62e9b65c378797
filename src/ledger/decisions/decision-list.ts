import { sql } from 'kysely';
import type { Door } from '../../domain/decider.js';
import type { State } from '../../domain/submission.js';
import { all, boundLimit, first, type Ledger, reading } from '../store/query.js';
import { issuesOfCorrection } from './corrected-rows.js';
import {
  asRecorded,
  type DecisionKind,
  type DecisionResult,
  keptDecisions,
  type RecordedDecision,
} from './decision-log.js';

/** Which decisions are listed, and from where on. A null doesn't narrow. */
export interface DecisionsAsked {
  readonly kind: DecisionKind | null;
  readonly who: string | null;
  readonly door: Door | null;
  /** True: only those that are not carried out to their end. */
  readonly isOpen: boolean;
  /** True: the latest first. */
  readonly isDescending: boolean;
  /** The decision after which the list goes on; null: from its beginning. */
  readonly after: number | null;
  /** The most decisions of one answer. */
  readonly most: number;
}

/** A decision of the log. */
export interface LoggedDecision extends Omit<RecordedDecision, 'lastTransitionId'> {
  /** What it has done, in numbers; null while it is not carried out to its end. */
  readonly result: DecisionResult | null;
}

/** Some decisions of the log. */
export interface ListedDecisions {
  readonly rows: readonly LoggedDecision[];
  /** How many decisions fit the filter. */
  readonly total: number;
  /** The decision after which the list goes on; null: this is its end. */
  readonly next: number | null;
}

/** Lists decisions by their number, a page at a time. */
export async function listDecisions(
  ledger: Ledger,
  { isDescending, after, most, ...asked }: DecisionsAsked,
): Promise<ListedDecisions> {
  return reading(ledger, async (ledger) => {
    const beyond =
      after === null
        ? sql<boolean>`true`
        : sql<boolean>`decision_id ${sql.raw(isDescending ? '<' : '>')} ${after}`;
    const found = await all(
      ledger,
      logged()
        .where(fits(asked))
        .where(beyond)
        .orderBy('decision_id', isDescending ? 'desc' : 'asc')
        .limit(boundLimit(most + 1)),
    );
    const counted = await ledger.db
      .selectFrom('decision')
      .select(sql<number>`count(*)`.as('total'))
      .where(fits(asked))
      .executeTakeFirst();
    const shown = found.slice(0, most).map(asLogged);
    return {
      rows: shown,
      total: counted?.total ?? 0,
      next: found.length > most ? (shown.at(-1)?.decisionId ?? null) : null,
    };
  });
}

/** A submission that a decision moved or made. */
export interface DecidedRow {
  readonly submissionId: number;
  readonly dropId: number;
  readonly line: number;
  readonly file: string;
  /** Where it is now. */
  readonly state: State;
}

/** A decision with some of the rows that it moved. */
export interface DecisionInFull extends LoggedDecision {
  /** What a returned file asked for and the decision left as it was; the first of them. Personal. */
  readonly issues: Awaited<ReturnType<typeof issuesOfCorrection>>;
  readonly rows: readonly DecidedRow[];
  /** The row after which they go on; null: these are the last. */
  readonly next: number | null;
}

/** Reads a decision with the rows that it lists, a page at a time; null: there is none of this number. */
export async function readDecision(
  ledger: Ledger,
  decisionId: number,
  { after, most }: { readonly after: number | null; readonly most: number },
): Promise<DecisionInFull | null> {
  return reading(ledger, async (ledger) => {
    const found = await first(ledger, logged().where('decision_id', '=', decisionId));
    if (found === undefined) return null;
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
    return { ...asLogged(found), issues: await issuesOfCorrection(ledger, decisionId), rows: shown, next };
  });
}

function logged() {
  return keptDecisions().select(['selection', 'result']);
}

function asLogged<Found extends { readonly selection: string; readonly result: string | null }>({
  result,
  ...found
}: Found) {
  return { ...asRecorded(found), result: result === null ? null : (JSON.parse(result) as DecisionResult) };
}

function fits({ kind, who, door, isOpen }: Pick<DecisionsAsked, 'kind' | 'who' | 'door' | 'isOpen'>) {
  return sql<boolean>`${kind === null ? sql`true` : sql`kind = ${kind}`}
    and ${who === null ? sql`true` : sql`who = ${who}`}
    and ${door === null ? sql`true` : sql`door = ${door}`}
    and ${isOpen ? sql`finished_at is null` : sql`true`}`;
}
