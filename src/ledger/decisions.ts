import { sql } from 'kysely';
import { type State, type SubmissionEvent, settle } from '../domain/submission.js';
import { closeDecision, type DecisionFacts, openDecision } from './decision-log.js';
import { all, change, first, type Ledger, query, writing } from './query.js';
import { dismissRefusals } from './refused-drops.js';
import type { Selected } from './selection.js';
import { move, type TransitionDetails } from './transitions.js';

/** A decision that moves the rows it lists. */
interface ListedDecision {
  readonly decisionId: number;
  readonly kind: 'rerun' | 'dismiss';
}

/**
 * Records a person's decision with the rows it is about, and carries it out on them, those left out that have moved on
 * since they were selected. Where the process dies on the way, `finishDecisions` does the rest.
 * @param files drops that were set aside as a whole, and that a dismissal closes.
 * @returns how many moved.
 */
export function decide(
  ledger: Ledger,
  decision: DecisionFacts & { readonly kind: 'rerun' | 'dismiss' },
  selected: readonly Pick<Selected, 'submissionId' | 'state'>[],
  runId: number | null,
  files: readonly number[] = [],
): { decisionId: number; moved: number } {
  const decisionId = writing(ledger, () => {
    const listed = listDecision(ledger, decision, selected);
    dismissRefusals(ledger, files, listed);
    return listed;
  });
  for (const _ of carryOut(ledger, { decisionId, kind: decision.kind }, runId));
  return { decisionId, moved: countMoved(ledger, decisionId) };
}

/**
 * Carries out what was decided by processes that died before they had done it, and by those that are at it: two may do
 * the same at once.
 * @returns how many decisions there were.
 */
export function finishDecisions(ledger: Ledger, runId: number | null): number {
  const open = all(
    ledger,
    query
      .selectFrom('decision')
      .select(['decision_id as decisionId', sql<'rerun' | 'dismiss'>`kind`.as('kind')])
      .where('finished_at', 'is', null)
      .where('last_transition_id', 'is not', null)
      .orderBy('decision_id'),
  );
  for (const decision of open) for (const _ of carryOut(ledger, decision, runId));
  return open.length;
}

/** Records a decision and its rows in one transaction, so that it is known whole or not at all. */
export function listDecision(
  ledger: Ledger,
  decision: DecisionFacts,
  selected: readonly Pick<Selected, 'submissionId' | 'state'>[],
): number {
  return writing(ledger, () => {
    const latest = first(
      ledger,
      query.selectFrom('transition').select(sql<number | null>`max(transition_id)`.as('id')),
    );
    const decisionId = openDecision(ledger, decision, latest?.id ?? 0);
    const rows = JSON.stringify(selected.map(({ submissionId, state }) => [submissionId, state]));
    change(
      ledger,
      query
        .insertInto('decision_submission')
        .columns(['decision_id', 'submission_id'])
        .expression(
          query
            .selectFrom(sql<{ value: string }>`json_each(${rows})`.as('chosen'))
            .innerJoin('submission as s', (join) =>
              join.on(sql<boolean>`s.submission_id = chosen.value ->> 0 and s.state = chosen.value ->> 1`),
            )
            .select([sql.lit(decisionId).as('decision_id'), 's.submission_id']),
        ),
    );
    return decisionId;
  });
}

/** Rows per transaction: another process that writes doesn't wait long for the lock. */
const PAGE = 500;

/** Moves the rows of a listed decision that haven't moved since it was made, a page at a time, and closes it. */
export function* carryOut(
  ledger: Ledger,
  { decisionId, kind }: ListedDecision,
  runId: number | null,
): Generator<void> {
  const event: SubmissionEvent = kind === 'rerun' ? 'rerun' : 'dismissed';
  const details: TransitionDetails = {
    reason: kind,
    decisionId,
    runId,
    // A rerun overrides the guard that held the row, once, and goes before a waiting million.
    ...(kind === 'rerun' ? { pass: 'all', priority: 1, freshPatience: true } : {}),
  };
  for (let after = 0; ; ) {
    const last = writing(ledger, () => {
      const page = listedAfter(ledger, decisionId, after);
      for (const { id, state, heldReason, isMoved } of page) {
        if (isMoved === 1 || settle(state, event) === null) continue;
        // Sending it again may be a second write, and is counted as one.
        const isRepeat = heldReason === 'restored' || mayBeWritten(ledger, id, state);
        const repeats = kind === 'rerun' && isRepeat ? 1 : 0;
        move(ledger, { id, state }, event, { ...details, spent: { repeats } });
      }
      return page.at(-1)?.id;
    });
    if (last === undefined) break;
    after = last;
    yield;
  }
  closeDecision(ledger, decisionId);
}

function listedAfter(ledger: Ledger, decisionId: number, after: number) {
  return all(
    ledger,
    query
      .selectFrom('decision_submission as x')
      .innerJoin('submission as s', 's.submission_id', 'x.submission_id')
      .innerJoin('decision as d', 'd.decision_id', 'x.decision_id')
      .select([
        's.submission_id as id',
        's.state',
        's.held_reason as heldReason',
        sql<number>`exists (select 1 from transition t
          where t.submission_id = s.submission_id and t.transition_id > d.last_transition_id)`.as('isMoved'),
      ])
      .where('x.decision_id', '=', decisionId)
      .where('x.submission_id', '>', after)
      .orderBy('x.submission_id')
      .limit(PAGE),
  );
}

/** Rows that a decision has moved, whichever process did. */
function countMoved(ledger: Ledger, decisionId: number): number {
  const counted = first(
    ledger,
    query
      .selectFrom('decision_submission as x')
      .innerJoin('transition as t', 't.submission_id', 'x.submission_id')
      .select(sql<number>`count(*)`.as('count'))
      .where('x.decision_id', '=', decisionId)
      .where('t.decision_id', '=', decisionId),
  );
  return counted?.count ?? 0;
}

/**
 * True when the last request may have been carried out although it wasn't accepted: no answer came, or one of the
 * passing faults that have a status (a refused connection has none). Earlier ones were counted when it was sent again.
 */
export function mayBeWritten(ledger: Ledger, submissionId: number, state: State): boolean {
  if (state !== 'failed') return state === 'in-doubt';
  const last = first(
    ledger,
    query
      .selectFrom('attempt_submission as x')
      .innerJoin('response as r', (join) =>
        join.onRef('r.attempt_id', '=', 'x.attempt_id').on('r.late', '=', 0),
      )
      .select('r.status')
      .where('x.submission_id', '=', submissionId)
      .orderBy('x.attempt_id', 'desc')
      .limit(1),
  );
  return last !== undefined && last.status !== null;
}
