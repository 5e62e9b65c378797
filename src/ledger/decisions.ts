import { sql } from 'kysely';
import type { State, SubmissionEvent } from '../domain/submission.js';
import { causeCode } from './attention.js';
import { closeDecision, type DecisionFacts, openDecision } from './decision-log.js';
import { LEARNER_DIGITS } from './keys.js';
import { all, beginsLike, bytes, change, first, type Ledger, query, writing } from './query.js';
import { move, type TransitionDetails } from './transitions.js';

/** Which submissions a decision is about; what is left out doesn't narrow. */
export interface Selection {
  readonly states: readonly State[];
  /** A code as reports show it: learner-unknown, out-of-order, bad-request, … */
  readonly reason?: string | undefined;
  /** Hashes of the learner under each identifier type it may have. */
  readonly learners?: readonly string[] | undefined;
  readonly content?: string | undefined;
  readonly fileName?: string | undefined;
  readonly runId?: number | undefined;
  /** ISO time from which on its drop was published. */
  readonly since?: string | undefined;
  readonly submissionIds?: readonly number[] | undefined;
}

/** One selected submission, for lists. */
export interface Selected {
  readonly submissionId: number;
  readonly state: State;
  readonly code: string;
  readonly file: string;
  readonly line: number;
}

/** The submissions a selection names, oldest first. */
export function select(ledger: Ledger, selection: Selection): Selected[] {
  let chosen = query
    .selectFrom('submission as s')
    .innerJoin('drop as d', 'd.drop_id', 's.drop_id')
    .select([
      's.submission_id as submissionId',
      's.state',
      sql<string>`${causeCode}`.as('code'),
      'd.file_name as file',
      's.line',
    ])
    .where('d.state', '=', 'published')
    .where('s.state', 'in', selection.states)
    .orderBy('s.submission_id');
  if (selection.reason !== undefined) chosen = chosen.where(sql<boolean>`${causeCode} = ${selection.reason}`);
  if (selection.learners) {
    chosen = chosen.where(({ or }) =>
      or(
        (selection.learners ?? []).map(
          (hash) =>
            sql<boolean>`(${beginsLike('s.key', bytes(hash), LEARNER_DIGITS)} and s.learner = ${bytes(hash)})`,
        ),
      ),
    );
  }
  if (selection.content !== undefined) {
    chosen = chosen.where(sql<boolean>`s.record ->> '$."content-id"' = ${selection.content}`);
  }
  if (selection.fileName !== undefined) chosen = chosen.where('d.file_name', '=', selection.fileName);
  if (selection.runId !== undefined) {
    chosen = chosen.where(
      sql<boolean>`(d.run_id = ${selection.runId}
        or s.submission_id in (select submission_id from transition where run_id = ${selection.runId}))`,
    );
  }
  if (selection.since !== undefined) chosen = chosen.where('d.published_at', '>=', selection.since);
  if (selection.submissionIds) {
    chosen = chosen.where(
      sql<boolean>`s.submission_id in (select value from json_each(${JSON.stringify(selection.submissionIds)}))`,
    );
  }
  return all(ledger, chosen);
}

/** Moves per transaction. */
const PAGE = 500;

/**
 * Records a person's decision and carries it out on the selected submissions, those that have moved on meanwhile
 * left out.
 * @returns how many moved.
 */
export function decide(
  ledger: Ledger,
  decision: DecisionFacts & { readonly kind: 'rerun' | 'dismiss' },
  selected: readonly Selected[],
  runId: number | null,
): { decisionId: number; moved: number } {
  const event: SubmissionEvent = decision.kind === 'rerun' ? 'rerun' : 'dismissed';
  const decisionId = openDecision(ledger, decision);
  const details: TransitionDetails = {
    reason: decision.kind,
    decisionId,
    runId,
    // A rerun overrides the guard that held the row, once, and goes before a waiting million.
    ...(decision.kind === 'rerun' ? { pass: 'all', priority: 1, freshPatience: true } : {}),
  };
  let moved = 0;
  for (let start = 0; start < selected.length; start += PAGE) {
    writing(ledger, () => {
      for (const { submissionId, state } of selected.slice(start, start + PAGE)) {
        const current = first(
          ledger,
          query.selectFrom('submission').select('state').where('submission_id', '=', submissionId),
        );
        if (current?.state !== state) continue;
        change(
          ledger,
          query
            .insertInto('decision_submission')
            .values({ decision_id: decisionId, submission_id: submissionId }),
        );
        // Sending it again may be a second write, and is counted as one.
        const repeats = decision.kind === 'rerun' && mayBeWritten(ledger, submissionId, state) ? 1 : 0;
        move(ledger, { id: submissionId, state }, event, { ...details, spent: { repeats } });
        moved += 1;
      }
    });
  }
  closeDecision(ledger, decisionId);
  return { decisionId, moved };
}

/**
 * True when the last request may have been carried out although it wasn't accepted: no answer came, or one of the
 * passing faults that have a status (a refused connection has none). Earlier ones were counted when it was sent again.
 */
function mayBeWritten(ledger: Ledger, submissionId: number, state: State): boolean {
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
