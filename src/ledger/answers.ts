import { sql } from 'kysely';
import type { AcceptedAs } from '../domain/cause.js';
import { isoFromMs } from '../domain/clock.js';
import { causeOf, type Outcome } from '../domain/outcome.js';
import { eventOf, type State, type SubmissionEvent } from '../domain/submission.js';
import { type Alteration, insertAlterations } from './alterations.js';
import { holdLearner, liftHold } from './learner-holds.js';
import { all, change, first, type Ledger, query, writing } from './query.js';
import { move } from './transitions.js';

/** What came of a request, in the ledger's terms. */
export interface Answer {
  readonly outcome: Outcome;
  /** null when no status came. */
  readonly response: {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string | null;
    readonly bodyState: 'complete' | 'incomplete' | 'capped';
    readonly error: {
      readonly id: string | null;
      readonly code: string | null;
      readonly title: string | null;
      readonly detail: string | null;
      readonly source: string | null;
    } | null;
    readonly platformId: string | null;
  } | null;
  /** When the platform refuses several submissions at once: those that its refusal names. */
  readonly named?: ReadonlySet<number>;
  /** The request revived what existed already; or, to one that found that it exists, one that revives it may follow. */
  readonly revival?: 'done' | 'may-follow' | undefined;
  /** Texts that the platform gives back otherwise than they were sent. */
  readonly alterations?: readonly Alteration[];
  /** Why no status came; null when one did. */
  readonly failure: { readonly code: string } | null;
  readonly durationMs: number;
}

/** The environment's policy for answers. */
export interface AnswerPolicy {
  readonly maxTries: number;
  readonly maxResends: number;
  readonly onUnknown: 'resend' | 'hold';
  /** Wait before a row is sent again that was sent so often in vain. */
  backOffMs(sent: number): number;
  /**
   * False while the environment has stopped working as a whole: then a passing fault says nothing about the record
   * and spends none of its tries. Where the record may have been written all the same, it spends a resend.
   */
  readonly spendTries: boolean;
}

/** What an answer did to one of its submissions. */
export interface Settled {
  readonly submissionId: number;
  /** null when it changed nothing. */
  readonly state: State | null;
}

/**
 * Keeps the answer to an attempt and moves its submissions on. An answer that comes after the attempt was given up
 * is kept as late, and counts only when it says accepted. A refusal of several submissions counts for those that it
 * names; the others wait again, and where it names none each of them goes alone.
 * @returns what became of each.
 */
export function recordAnswer(
  ledger: Ledger,
  attemptId: number,
  answer: Answer,
  policy: AnswerPolicy,
  runId: number,
): Settled[] {
  return writing(ledger, () => {
    const attempted = all(
      ledger,
      query
        .selectFrom('attempt_submission as x')
        .innerJoin('submission as s', 's.submission_id', 'x.submission_id')
        .select([
          's.submission_id as id',
          's.state',
          's.tries',
          's.resends',
          's.environment',
          sql<string | null>`lower(nullif(hex(s.learner), ''))`.as('learner'),
          sql<number>`s.record is null`.as('isErased'),
          sql<number>`(select max(attempt_id) from attempt_submission where submission_id = s.submission_id)`.as(
            'latestAttempt',
          ),
        ])
        .where('x.attempt_id', '=', attemptId),
    );
    // A call by hand whose process died has none.
    const isKept = attempted.every(({ isErased }) => isErased === 0);
    const late = insertResponse(ledger, attemptId, answer, isKept);
    if (isKept) insertAlterations(ledger, attemptId, answer.alterations ?? []);
    return attempted.map((submission) => ({
      submissionId: submission.id,
      state: settleOne(ledger, attemptId, submission, answer, policy, {
        late,
        isAlone: attempted.length === 1,
        runId,
      }),
    }));
  });
}

/** A submission of an attempt as it stands when the answer comes. */
interface Attempted {
  readonly id: number;
  readonly state: State;
  readonly tries: number;
  readonly resends: number;
  readonly environment: string;
  readonly learner: string | null;
  readonly latestAttempt: number;
}

function settleOne(
  ledger: Ledger,
  attemptId: number,
  attempted: Attempted,
  answer: Answer,
  policy: AnswerPolicy,
  { late, isAlone, runId }: { late: boolean; isAlone: boolean; runId: number },
): State | null {
  const { outcome } = answer;
  const isCurrent = !late && attempted.state === 'sending' && attempted.latestAttempt === attemptId;
  if (isCurrent && !isAlone && outcome.kind === 'rejected' && !answer.named?.has(attempted.id)) {
    const forOthers = answer.named !== undefined && answer.named.size > 0;
    const why = forOthers
      ? ({ cause: 'refused-for-others' } as const)
      : ({ cause: 'refused-together', nextDelivery: 'alone' } as const);
    return move(ledger, attempted, 'stopped', { ...why, runId, attemptId });
  }
  if (isCurrent && outcome.kind === 'rejected' && outcome.exists && answer.revival === 'may-follow') {
    const why = { cause: 'exists-already', nextDelivery: 'revive' } as const;
    return move(ledger, attempted, 'stopped', { ...why, runId, attemptId });
  }
  const event: SubmissionEvent | null = isCurrent
    ? currentEvent(outcome, attempted, policy)
    : outcome.kind === 'accepted' && attempted.state !== 'accepted'
      ? 'accepted'
      : null;
  if (event === null) return null;

  const to = move(ledger, attempted, event, {
    ...consequences(ledger, outcome, event, attempted, policy),
    acceptedAs: howAccepted(answer),
    runId,
    attemptId,
  });
  if (attempted.learner !== null) {
    if (to === 'accepted') liftHold(ledger, attempted.environment, attempted.learner, runId);
    if (outcome.kind === 'rejected' && outcome.cause === 'learner-unknown') {
      holdLearner(ledger, attempted.environment, attempted.learner, attempted.id, runId);
    }
  }
  return to;
}

/**
 * After taking an environment's lease: what an earlier owner left open was sent, or not, and nobody will ever know;
 * each becomes an attempt without an answer. Returns how many.
 */
export function takeOver(ledger: Ledger, environment: string, policy: AnswerPolicy, runId: number): number {
  const abandoned = all(
    ledger,
    query.selectFrom('attempt_open').select('attempt_id as attemptId').where('environment', '=', environment),
  );
  for (const { attemptId } of abandoned) {
    const outcome: Outcome = {
      kind: 'unknown',
      cause: 'owner-died',
      reason: 'the process that sent it died',
    };
    recordAnswer(
      ledger,
      attemptId,
      { outcome, response: null, failure: { code: 'owner-died' }, durationMs: 0 },
      policy,
      runId,
    );
  }
  return abandoned.length;
}

function currentEvent(
  outcome: Outcome,
  submission: { tries: number; resends: number },
  policy: AnswerPolicy,
): SubmissionEvent {
  const isStopped = outcome.kind === 'stop' || (isPassing(outcome) && !policy.spendTries);
  if (isStopped) {
    if (!mayBeWritten(outcome)) return 'stopped';
    // The row isn't to blame; but what may have been written isn't written anew with every run.
    const mayGoAgain = outcome.kind !== 'unknown' || policy.onUnknown === 'resend';
    return mayGoAgain && submission.resends < policy.maxResends ? 'stopped' : 'doubted';
  }
  return eventOf(outcome, {
    triesSpent: submission.tries + 1,
    maxTries: policy.maxTries,
    resends: submission.resends,
    maxResends: policy.maxResends,
    onUnknown: policy.onUnknown,
  });
}

/** Counts, waits and flags that go with the event. */
function consequences(
  ledger: Ledger,
  outcome: Outcome,
  event: SubmissionEvent,
  { tries, resends }: { readonly tries: number; readonly resends: number },
  policy: AnswerPolicy,
) {
  const again = event === 'retried' || event === 'resent' || event === 'stopped';
  const isRepeat = again && mayBeWritten(outcome);
  const retryAfterMs = outcome.kind === 'transient' ? (outcome.retryAfterMs ?? 0) : 0;
  const stoppedMs = isRepeat ? stoppedWaitMs(resends + 1) : 0;
  const backOffMs = event === 'stopped' ? stoppedMs : policy.backOffMs(tries + resends + 1);
  const waitMs = again ? Math.max(backOffMs, retryAfterMs) : 0;
  return {
    cause: causeOf(outcome),
    platformCode: 'code' in outcome ? outcome.code : null,
    words: 'reason' in outcome ? outcome.reason : null,
    nextAttemptAt: waitMs > 0 ? isoFromMs(ledger.clock.nowMs() + waitMs) : null,
    spent: {
      tries: event === 'retried' || event === 'exhausted' ? 1 : 0,
      resends: event === 'resent' || (event === 'stopped' && isRepeat) ? 1 : 0,
      repeats: isRepeat ? 1 : 0,
    },
    // A person's or a probe's leave to pass the guards was for this one delivery.
    ...(event === 'rejected' || event === 'exhausted' || event === 'doubted' ? { pass: null } : {}),
  };
}

const FIRST_STOPPED_WAIT_MS = 30_000;
const LONGEST_STOPPED_WAIT_MS = 3_600_000;

/**
 * How long a row that may have been written waits before a platform that isn't known to work gets it again, so that its few
 * resends last for an outage of an hour: half a minute, then ten times as long. Where the platform works it doesn't wait.
 */
function stoppedWaitMs(resends: number): number {
  return Math.min(FIRST_STOPPED_WAIT_MS * 10 ** (resends - 1), LONGEST_STOPPED_WAIT_MS);
}

function isPassing({ kind }: Outcome): boolean {
  return kind === 'transient' || kind === 'unknown';
}

/** Whether the platform may have carried the request out although nothing says so. */
function mayBeWritten(outcome: Outcome): boolean {
  if (outcome.kind === 'unknown') return true;
  return (outcome.kind === 'transient' || outcome.kind === 'stop') && outcome.mayBeWritten === true;
}

/** What an answer that accepts says about what was there before; of any other it says nothing. */
function howAccepted({ outcome, revival }: Answer): AcceptedAs {
  if (revival === 'done') return 'revived';
  return outcome.kind === 'accepted' && outcome.existed ? 'existed' : 'new';
}

/**
 * @param keepText false where the record was erased meanwhile: the platform's words would bring the person back.
 * @returns true when the attempt already had its first response.
 */
export function insertResponse(
  ledger: Ledger,
  attemptId: number,
  answer: Answer,
  keepText: boolean,
): boolean {
  const { outcome, response, failure } = answer;
  const earlier = first(
    ledger,
    query
      .selectFrom('response')
      .select('response_id')
      .where('attempt_id', '=', attemptId)
      .where('late', '=', 0),
  );
  const { id } = change(
    ledger,
    query.insertInto('response').values({
      attempt_id: attemptId,
      late: earlier ? 1 : 0,
      outcome: outcome.kind,
      reason: 'reason' in outcome ? outcome.reason : null,
      status: response?.status ?? null,
      failure: response ? null : (failure?.code ?? 'unknown'),
      error_id: response?.error?.id ?? null,
      error_code: response?.error?.code ?? null,
      error_title: response?.error?.title ?? null,
      platform_id: response?.platformId ?? null,
      body_state: response?.bodyState ?? null,
      headers: response ? JSON.stringify(response.headers) : null,
      received_at: isoFromMs(ledger.clock.nowMs()),
      duration_ms: Math.round(answer.durationMs),
    }),
  );
  if (response && keepText) {
    change(
      ledger,
      query.insertInto('response_text').values({
        response_id: id,
        body: response.body,
        detail: response.error?.detail ?? null,
        source: response.error?.source ?? null,
      }),
    );
  }
  change(ledger, query.deleteFrom('attempt_open').where('attempt_id', '=', attemptId));
  return earlier !== undefined;
}
