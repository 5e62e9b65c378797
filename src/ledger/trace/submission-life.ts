import { sql } from 'kysely';
import type { LifeAnswer, LifeAttempt } from '../../documents/trace.js';
import { mapSeries } from '../../domain/process/series.js';
import { keyMaker, keyText } from '../../operations/keys.js';
import { operationNamed } from '../../operations/registry.js';
import { decisionsNumbered } from '../decisions/decision-log.js';
import { first, type Ledger } from '../store/query.js';
import { heldCause } from '../submissions/columns.js';
import { asHex, fieldsIn, isSound, keptRecords } from '../submissions/record/kept-record.js';
import { queuePlace } from '../submissions/waiting.js';

/** The history of a submission, with the facts that decide its next step. Personal. */
export type TracedLife = NonNullable<Awaited<ReturnType<typeof tracedLife>>>;

export type LifeTransition = TracedLife['transitions'][number];

/** Reads the history of a submission; null: there is no such submission, or its drop isn't published. */
export async function tracedLife(ledger: Ledger, submissionId: number) {
  const life = keptRecords
    .innerJoin('drop_file as d', 'd.drop_id', 's.drop_id')
    .leftJoin('learner_hold as h', (join) =>
      join.onRef('h.learner_id', '=', 's.learner_id').onRef('h.environment', '=', 's.environment'),
    )
    .select(['s.submission_id as submission', 's.operation', 's.revision', 's.drop_id as drop', 's.line'])
    .select(['s.decision_id as decisionId', 's.state', heldCause.as('heldReason'), 's.cause'])
    .select(['s.platform_code as platformCode', 's.accepted_as as acceptedAs'])
    .select([
      's.successor_id as replacedBy',
      sql<0 | 1>`s.priority`.as('priority'),
      's.next_attempt_at as nextAttemptAt',
    ])
    .select(['h.rechecks', 'h.checked_at as checkedAt'])
    .where('s.submission_id', '=', submissionId)
    .where('d.state', '=', sql.lit('published'));
  const row = await first(ledger, life);
  if (!row) return null;
  const full = asHex(row);
  const damaged = !isSound(keyMaker(ledger.salt), full);
  const { record, decisionId, learner, content, occurredAt, digest, rechecks, checkedAt, ...submission } =
    full;
  const { state, cause, environment } = submission;
  const target = { operation: operationNamed(submission.operation), environment };
  const key = keyText(target, { learner, content, occurredAt });
  const replaced = await ledger.db
    .selectFrom('submission')
    .select('submission_id as id')
    .where('successor_id', '=', submissionId)
    .orderBy('submission_id')
    .execute();
  const transitions = await transitionsOf(ledger, submissionId);
  const decisions = await decisionsNumbered(ledger, [
    decisionId,
    ...transitions.map((one) => one.decisionId),
  ]);
  const decided = (id: number | null) => (id === null ? null : (decisions.get(id) ?? null));
  return {
    ...submission,
    key,
    record: damaged ? null : fieldsIn(record),
    damaged,
    madeBy: decided(decisionId),
    replaces: replaced.map(({ id }) => id),
    transitions: transitions.map(({ decisionId: id, ...one }) => ({ ...one, decision: decided(id) })),
    attempts: await attemptsOf(ledger, submissionId),
    /** Its place in the queue; null: it isn't waiting. */
    queue: state === 'waiting' ? await queuePlace(ledger, environment, submissionId) : null,
    /**
     * How often its learner was rechecked, and the ISO time of the last refusal or recheck; null: there is no hold,
     * or the submission needs attention for another reason.
     */
    hold:
      cause === 'learner-unknown' && rechecks !== null && checkedAt !== null ? { rechecks, checkedAt } : null,
  };
}

async function transitionsOf(ledger: Ledger, submissionId: number) {
  return ledger.db
    .selectFrom('transition')
    .select(['from_state as from', 'event', 'to_state as to', 'cause', 'platform_code as platformCode'])
    .select(['reason', 'at', 'run_id as run', 'attempt_id as attempt', 'decision_id as decisionId'])
    .where('submission_id', '=', submissionId)
    .orderBy('transition_id')
    .execute();
}

async function attemptsOf(ledger: Ledger, submissionId: number): Promise<LifeAttempt[]> {
  const attempts = await ledger.db
    .selectFrom('attempt_submission as x')
    .innerJoin('attempt as a', 'a.attempt_id', 'x.attempt_id')
    .leftJoin('attempt_open as o', 'o.attempt_id', 'a.attempt_id')
    .select(['a.attempt_id as attempt', 'a.run_id as run', 'a.started_at as startedAt'])
    .select(sql<number>`o.attempt_id is not null`.as('isOpen'))
    .where('x.submission_id', '=', submissionId)
    .orderBy('a.attempt_id')
    .execute();
  return mapSeries(attempts, async (one) => ({
    ...one,
    isOpen: one.isOpen === 1,
    answers: await answersTo(ledger, one.attempt),
  }));
}

async function answersTo(ledger: Ledger, attemptId: number): Promise<LifeAnswer[]> {
  // Two queries, because each has a separate index, and an "or" would use neither.
  const answers = await mapSeries([0, 1], (late) =>
    ledger.db
      .selectFrom('response as p')
      .leftJoin('response_text as t', 't.response_id', 'p.response_id')
      .select(['p.late', 'p.outcome', 'p.reason', 'p.status', 'p.failure', 'p.headers', 't.body'])
      .select(['p.error_id as errorId', 'p.error_code as errorCode', 'p.error_title as errorTitle'])
      .select(['t.detail as errorDetail', 't.source as errorSource', 'p.platform_id as platformId'])
      .select(['p.body_state as bodyState', 'p.received_at as receivedAt', 'p.duration_ms as durationMs'])
      .where('p.attempt_id', '=', attemptId)
      .where('p.late', '=', sql.lit(late))
      .orderBy('p.response_id')
      .execute(),
  );
  return answers.flat().map(({ headers, late, ...answer }) => ({
    ...answer,
    isLate: late === 1,
    headers: headers === null ? {} : (JSON.parse(headers) as Record<string, string>),
  }));
}
