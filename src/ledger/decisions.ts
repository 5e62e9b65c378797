import { sql } from 'kysely';
import { type State, type SubmissionEvent, settle } from '../domain/submission.js';
import { type DecisionFacts, type DecisionKind, openDecision } from './decision-log.js';
import { PAGE_ROWS } from './pages.js';
import { all, first, type Ledger, query, writing } from './query.js';
import { listSelected, momentOf, type RowFilter } from './selection.js';
import { move, type TransitionDetails } from './transitions.js';

/**
 * Records a decision with the rows that fit, in one transaction, so that it is known whole or not at all: a million rows take
 * about a second. Invalid rows have nothing to be moved: they are dealt with at once.
 */
export function listDecision(ledger: Ledger, decision: DecisionFacts, filter: RowFilter): number {
  return writing(ledger, () => {
    const decisionId = openDecision(ledger, decision, momentOf(ledger).transitionId);
    listSelected(ledger, decisionId, filter);
    return decisionId;
  });
}

/** Moves the rows of a listed decision that haven't moved since it was made, a page for each step. */
export function* movePages(
  ledger: Ledger,
  { decisionId, kind }: { readonly decisionId: number; readonly kind: DecisionKind },
  runId: number | null,
): Generator<void> {
  const event: SubmissionEvent = kind === 'rerun' ? 'rerun' : 'dismissed';
  const details: TransitionDetails = {
    cause: kind === 'rerun' ? 'rerun' : 'dismiss',
    decisionId,
    runId,
    // A rerun overrides the guard that held the row, once, and goes before a waiting million.
    ...(kind === 'rerun' ? { pass: 'all', priority: 1, freshPatience: true } : {}),
  };
  for (let after = 0; ; ) {
    const last = writing(ledger, () => {
      const page = listedAfter(ledger, decisionId, after);
      for (const { id, state, cause, isMoved } of page) {
        if (isMoved === 1 || settle(state, event) === null) continue;
        // Sending it again may be a second write, and is counted as one.
        const isRepeat = (state === 'held' && cause === 'restored') || mayBeWritten(ledger, id, state);
        const repeats = kind === 'rerun' && isRepeat ? 1 : 0;
        move(ledger, { id, state }, event, { ...details, spent: { repeats } });
      }
      return page.at(-1)?.id;
    });
    if (last === undefined) return;
    after = last;
    yield;
  }
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
        's.cause',
        sql<number>`exists (select 1 from transition t
          where t.submission_id = s.submission_id and t.transition_id > d.last_transition_id)`.as('isMoved'),
      ])
      .where('x.decision_id', '=', decisionId)
      .where('x.submission_id', '>', after)
      .orderBy('x.submission_id')
      .limit(PAGE_ROWS),
  );
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
