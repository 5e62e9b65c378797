import { type InferResult, sql } from 'kysely';
import type { TracedDecision } from '../../documents/trace.js';
import { isoFromMs } from '../../domain/clock.js';
import type { Decider, Door } from '../../domain/decider.js';
import { updateRows } from '../store/by-key.js';
import { isAmong } from '../store/dialect.js';
import {
  all,
  boundLimit,
  bytes,
  count,
  first,
  inserted,
  type Ledger,
  query,
  reading,
  writing,
} from '../store/query.js';
import type { Tables } from '../store/schema.js';
import { issuesOfCorrection } from './corrected-rows.js';

export type DecisionKind = Tables['decision']['kind'];

export interface DecisionFacts {
  readonly kind: DecisionKind;
  readonly who: Decider;
  /** null: no reason was required. */
  readonly because: string | null;
  /** What was requested, without personal data. */
  readonly selection: Readonly<Record<string, unknown>>;
}

/** The result of a decision in numbers, without personal data. */
export type DecisionResult = Readonly<Record<string, number>>;

/** @param lastTransitionId the last transition before it, for a decision that moves the rows that it lists. */
export async function recordDecision(
  ledger: Ledger,
  { kind, who, because, selection }: DecisionFacts,
  lastTransitionId: number | null = null,
): Promise<number> {
  const decision = query.insertInto('decision').values({
    kind,
    who: who.name,
    door: who.door,
    because,
    selection: JSON.stringify(selection),
    made_at: isoFromMs(ledger.clock.nowMs()),
    last_transition_id: lastTransitionId,
    request: who.request === undefined ? null : bytes(who.request),
  });
  return (await inserted(ledger, decision.returning('decision_id as id'))).id;
}

/** Records that a decision is finished, and returns its result in numbers. A recorded result is unchanged. */
export async function closeDecision(ledger: Ledger, decisionId: number): Promise<DecisionResult> {
  return writing(ledger, async (ledger) => {
    const result = await resultOf(ledger, decisionId);
    await endDecision(ledger, decisionId, result);
    return result;
  });
}

/** The same with this result; does nothing where it is already recorded. */
export async function endDecision(ledger: Ledger, decisionId: number, result: DecisionResult = {}) {
  const finished = { finished_at: isoFromMs(ledger.clock.nowMs()), result: JSON.stringify(result) };
  await updateRows(ledger, 'decision', { decision_id: decisionId, finished_at: null }, finished);
}

/** The result of a decision so far, by all processes: submissions moved and created, invalid rows resolved. */
export async function resultOf(ledger: Ledger, decisionId: number): Promise<DecisionResult> {
  const counted = sql<DecisionResult>`
    select
      (select count(*) from decision_submission x
        where x.decision_id = ${decisionId} and exists (select 1 from transition t
          where t.submission_id = x.submission_id and t.decision_id = ${decisionId})) as moved,
      -- Submissions made by a decision are rare in a drop, so the index of rare submissions finds them.
      (select count(*) from submission
        where (revision > 1 or repeats > 0 or decision_id is not null) and decision_id = ${decisionId}) as made,
      (select count(*) from resolution where decision_id = ${decisionId}) as resolved`;
  return (await first(ledger, counted)) ?? {};
}

export interface KeptDecision extends TracedDecision {
  readonly kind: DecisionKind;
}

/** A decision with everything needed to carry it out; `result` null: it is unfinished. */
export interface RecordedDecision extends KeptDecision, Pick<DecisionFacts, 'selection'> {
  /** null: it is unfinished. */
  readonly result: DecisionResult | null;
}

export async function openDecisions(ledger: Ledger): Promise<RecordedDecision[]> {
  const open = recorded().where('finished_at', 'is', null).orderBy('decision_id');
  return (await all(ledger, open)).map(asRecorded);
}

/** The decisions that a request with an `Idempotency-Key` has made already; none for a request without one. */
export async function decisionsOfRequest(ledger: Ledger, { request }: Pick<Decider, 'request'>) {
  if (request === undefined) return [];
  const ofRequest = recorded().where('request', '=', bytes(request)).orderBy('decision_id');
  return (await all(ledger, ofRequest)).map(asRecorded);
}

/** The decision with this number. Throws where there is none. */
export async function decisionNumbered(ledger: Ledger, decisionId: number): Promise<RecordedDecision> {
  const [decision] = await all(ledger, recorded().where('decision_id', '=', decisionId));
  if (decision === undefined) throw new Error(`there is no decision ${decisionId}`);
  return asRecorded(decision);
}

/** The decisions with these numbers; nulls are ignored. */
export async function decisionsNumbered(ledger: Ledger, ids: readonly (number | null)[]) {
  const unique = [...new Set(ids)].filter((id) => id !== null);
  if (unique.length === 0) return new Map<number, KeptDecision>();
  const decisions = await all(ledger, keptDecisions().where(isAmong('decision_id', unique)));
  return new Map(decisions.map((decision) => [decision.decisionId, decision]));
}

function keptDecisions() {
  return query
    .selectFrom('decision')
    .select(['decision_id as decisionId', 'kind', 'who', 'door', 'because'])
    .select(['made_at as madeAt', 'finished_at as finishedAt']);
}

/** Decisions with the columns that `asRecorded` reads. */
function recorded() {
  return keptDecisions().select(['selection', 'result']);
}

function asRecorded({ selection, result, ...facts }: InferResult<ReturnType<typeof recorded>>[number]) {
  return {
    ...facts,
    selection: JSON.parse(selection) as DecisionFacts['selection'],
    result: JSON.parse(result ?? 'null') as DecisionResult | null,
  };
}

/** A page of the list of decisions, which starts after `after`. A null doesn't filter. */
export interface DecisionListQuery {
  readonly who: string | null;
  readonly door: Door | null;
  /** The decision after which the page starts; null: the first page. */
  readonly after: number | null;
  readonly limit: number;
}

/**
 * Lists decisions, the latest first, each with its result in numbers (null: it is unfinished). `total`: how many match;
 * `next`: the decision after which the next page starts; null: this is the last page.
 */
export async function listDecisions(ledger: Ledger, { who, door, after, limit }: DecisionListQuery) {
  const matches = sql<boolean>`${who === null ? sql`true` : sql`who = ${who}`}
    and ${door === null ? sql`true` : sql`door = ${door}`}`;
  return reading(ledger, async (ledger) => {
    const decisions = await all(
      ledger,
      recorded()
        .where(matches)
        .where('decision_id', '<', after ?? Number.MAX_SAFE_INTEGER)
        .orderBy('decision_id', 'desc')
        .limit(boundLimit(limit + 1)),
    );
    const shown = decisions.slice(0, limit).map(asRecorded);
    return {
      rows: shown,
      total: await count(ledger, query.selectFrom('decision').where(matches)),
      next: decisions.length > limit ? (shown.at(-1)?.decisionId ?? null) : null,
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
  { after, limit }: { readonly after: number | null; readonly limit: number },
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
      .limit(boundLimit(limit + 1))
      .execute();
    const shown = rows.slice(0, limit);
    const next = rows.length > limit ? (shown.at(-1)?.submissionId ?? null) : null;
    const issues = await issuesOfCorrection(ledger, decisionId);
    return { ...asRecorded(decision), issues, rows: shown, next };
  });
}
