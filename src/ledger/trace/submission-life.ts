import { sql } from 'kysely';
import type { AcceptedAs, Cause, HeldCause } from '../../domain/cause.js';
import type { OutcomeKind } from '../../domain/outcome.js';
import { inTurn } from '../../domain/process/in-turn.js';
import type { FieldValue } from '../../domain/record.js';
import type { State, SubmissionEvent } from '../../domain/submission.js';
import { operationNamed } from '../../operations/registry.js';
import { decisionsNumbered, type KeptDecision } from '../decisions/decision-log.js';
import { all, first, type Ledger, query } from '../store/query.js';
import { heldCause } from '../submissions/columns.js';
import { isSubmissionSound } from '../submissions/record/kept-record.js';
import { keyText } from '../submissions/record/keys.js';
import { fieldsIn } from '../submissions/record/record-text.js';

/** All that happened to one submission. Personal. */
export interface SubmissionLife {
  readonly submissionId: number;
  readonly operation: string;
  readonly environment: string;
  /** Its idempotency key. */
  readonly key: string;
  /** Its slot, the key without its time: submissions of one slot are sent one after the other. */
  readonly slot: string;
  /** Hash of its learner, 16 hex digits; null: it is about none. */
  readonly learner: string | null;
  readonly revision: number;
  /** null once erased, and where it is damaged. */
  readonly record: Readonly<Record<string, FieldValue>> | null;
  /** True where its kept record differs from what was staged. */
  readonly isDamaged: boolean;
  readonly dropId: number;
  readonly line: number;
  /** The decision that made it; null: staging did. */
  readonly madeBy: KeptDecision | null;
  readonly state: State;
  readonly heldReason: HeldCause | null;
  /** The cause of its state; null where the state says all. */
  readonly cause: Cause | null;
  readonly platformCode: string | null;
  /** null unless it is accepted. */
  readonly acceptedAs: AcceptedAs | null;
  readonly priority: 0 | 1;
  readonly nextAttemptAt: string | null;
  /** The submission that replaced it, and those that it replaced. */
  readonly replacedBy: number | null;
  readonly replaces: readonly number[];
  readonly transitions: readonly LifeTransition[];
  readonly attempts: readonly LifeAttempt[];
}

/** One change of state. */
export interface LifeTransition {
  readonly from: State;
  readonly event: SubmissionEvent;
  readonly to: State;
  readonly cause: Cause | null;
  readonly platformCode: string | null;
  /** The platform's or the system's words; null where there are none. */
  readonly words: string | null;
  readonly at: string;
  readonly runId: number | null;
  readonly attemptId: number | null;
  readonly decision: KeptDecision | null;
}

/** One request. */
export interface LifeAttempt {
  readonly attemptId: number;
  readonly runId: number;
  readonly startedAt: string;
  /** True while no answer has come and the request has not been given up. */
  readonly isOpen: boolean;
  /** In order of arrival; more than one where an answer came after it had been given up. */
  readonly answers: readonly LifeAnswer[];
}

/** The result of a request, in the platform's own words. Personal. */
export interface LifeAnswer {
  readonly isLate: boolean;
  readonly outcome: OutcomeKind;
  readonly reason: string | null;
  /** null where no answer came; `failure` says why. */
  readonly status: number | null;
  readonly failure: string | null;
  readonly errorId: string | null;
  readonly errorCode: string | null;
  readonly errorTitle: string | null;
  readonly errorDetail: string | null;
  readonly errorSource: string | null;
  readonly platformId: string | null;
  /** Selected ones. */
  readonly headers: Readonly<Record<string, string>>;
  /** As it was received, but for secrets; null where there was none, and once erased. */
  readonly body: string | null;
  /** Whether that is all of it. */
  readonly bodyState: 'complete' | 'incomplete' | 'capped' | null;
  readonly receivedAt: string;
  readonly durationMs: number;
}

/** The life of a submission; null when there is none of that number, or its drop isn't published. */
export async function submissionLife(ledger: Ledger, submissionId: number): Promise<SubmissionLife | null> {
  const found = await first(
    ledger,
    query
      .selectFrom('submission_record as s')
      .innerJoin('drop_file as d', 'd.drop_id', 's.drop_id')
      .select([
        's.submission_id as submissionId',
        's.operation',
        's.environment',
        's.learner_hash as learner',
        's.content_hash as content',
        's.occurred_at as occurredAt',
        's.revision',
        's.told as record',
        's.drop_id as dropId',
        's.line',
        's.decision_id as decisionId',
        's.state',
        heldCause.as('heldReason'),
        's.cause',
        's.platform_code as platformCode',
        's.accepted_as as acceptedAs',
        sql<0 | 1>`s.priority`.as('priority'),
        's.next_attempt_at as nextAttemptAt',
        's.successor_id as replacedBy',
      ])
      .where('s.submission_id', '=', submissionId)
      .where('d.state', '=', sql.lit('published')),
  );
  if (!found) return null;
  const { record, decisionId, learner: learnerHash, content, occurredAt, ...submission } = found;
  const learner = learnerHash?.toString('hex') ?? null;
  const key = keyText(
    { operation: operationNamed(found.operation), environment: found.environment },
    { learner, content: content.toString('hex'), occurredAt },
  );
  const isDamaged = !(await isSubmissionSound(ledger, submissionId));
  const transitions = await transitionsOf(ledger, submissionId);
  const decisions = await decisionsNumbered(ledger, [
    decisionId,
    ...transitions.map((transition) => transition.decisionId),
  ]);
  const decided = (id: number | null) => (id === null ? null : (decisions.get(id) ?? null));
  return {
    ...submission,
    key,
    slot: key.slice(0, key.lastIndexOf('/')),
    learner,
    record: isDamaged ? null : fieldsIn(record),
    isDamaged,
    madeBy: decided(decisionId),
    replaces: await replacedBy(ledger, submissionId),
    transitions: transitions.map(({ decisionId: id, ...transition }) => ({
      ...transition,
      decision: decided(id),
    })),
    attempts: await attemptsOf(ledger, submissionId),
  };
}

async function replacedBy(ledger: Ledger, submissionId: number): Promise<number[]> {
  return (
    await all(
      ledger,
      query
        .selectFrom('submission')
        .select('submission_id as id')
        .where('successor_id', '=', submissionId)
        .orderBy('submission_id'),
    )
  ).map(({ id }) => id);
}

async function transitionsOf(ledger: Ledger, submissionId: number) {
  return all(
    ledger,
    query
      .selectFrom('transition')
      .select([
        'from_state as from',
        'event',
        'to_state as to',
        'cause',
        'platform_code as platformCode',
        'words',
        'at',
        'run_id as runId',
        'attempt_id as attemptId',
        'decision_id as decisionId',
      ])
      .where('submission_id', '=', submissionId)
      .orderBy('transition_id'),
  );
}

async function attemptsOf(ledger: Ledger, submissionId: number): Promise<LifeAttempt[]> {
  const attempts = await all(
    ledger,
    query
      .selectFrom('attempt_submission as x')
      .innerJoin('attempt as a', 'a.attempt_id', 'x.attempt_id')
      .leftJoin('attempt_open as o', 'o.attempt_id', 'a.attempt_id')
      .select([
        'a.attempt_id as attemptId',
        'a.run_id as runId',
        'a.started_at as startedAt',
        sql<number>`o.attempt_id is not null`.as('isOpen'),
      ])
      .where('x.submission_id', '=', submissionId)
      .orderBy('a.attempt_id'),
  );
  return inTurn(attempts, async ({ isOpen, ...attempt }) => ({
    ...attempt,
    isOpen: isOpen === 1,
    answers: await answersTo(ledger, attempt.attemptId),
  }));
}

async function answersTo(ledger: Ledger, attemptId: number): Promise<LifeAnswer[]> {
  // Two questions, because each is served by an index of its own and an "or" by none.
  return (
    await inTurn([0, 1], async (late) =>
      (
        await all(
          ledger,
          query
            .selectFrom('response as p')
            .leftJoin('response_text as t', 't.response_id', 'p.response_id')
            .select([
              'p.outcome',
              'p.reason',
              'p.status',
              'p.failure',
              'p.error_id as errorId',
              'p.error_code as errorCode',
              'p.error_title as errorTitle',
              't.detail as errorDetail',
              't.source as errorSource',
              'p.platform_id as platformId',
              'p.headers',
              't.body',
              'p.body_state as bodyState',
              'p.received_at as receivedAt',
              'p.duration_ms as durationMs',
            ])
            .where('p.attempt_id', '=', attemptId)
            .where('p.late', '=', sql.lit(late))
            .orderBy('p.response_id'),
        )
      ).map(({ headers, ...answer }) => ({
        ...answer,
        isLate: late === 1,
        headers: headers === null ? {} : (JSON.parse(headers) as Record<string, string>),
      })),
    )
  ).flat();
}
