import { sql } from 'kysely';
import { isoFromMs } from '../../domain/clock.js';
import { type AnswerMeaning, type AnswerPolicy, answered, OWNER_DIED } from '../../domain/delivery/answer.js';
import type { PlatformResponse } from '../../domain/environment/platform-response.js';
import { mapSeries } from '../../domain/process/series.js';
import { settle } from '../../domain/submission.js';
import { putRow } from '../store/by-key.js';
import { type Lane, type Ledger, writingIn } from '../store/query.js';
import { applyIntents } from '../submissions/apply-intents.js';
import { countCanary } from '../submissions/canary.js';
import { NO_LEARNER } from '../submissions/slots.js';
import { type Alteration, insertAlterations } from './alterations.js';
import { endOutages } from './outages.js';

export interface Answer extends AnswerMeaning {
  /** null: no response was received. */
  readonly response: Omit<PlatformResponse, 'failureSign'> | null;
  readonly alterations?: readonly Alteration[];
  /** Why no response was received; null: one was. */
  readonly failure: { readonly code: string } | null;
  readonly durationMs: number;
}

/**
 * Records the answer to an attempt, changes the states of its submissions, counts it among the first answers of their
 * drops, and ends an outage that the answer disproves. A second answer to an attempt is recorded as late.
 * @returns for each submission its state (null: unchanged), and its drop where the canary limit is exceeded; and
 * whether the answer ended an outage of earlier runs.
 * @param lane of the push that sent the request; default: none, so that all other writers wait.
 */
export async function recordAnswer(
  ledger: Ledger,
  attemptId: number,
  answer: Answer,
  policy: AnswerPolicy,
  runId: number,
  lane?: Lane,
) {
  return writingIn(ledger, lane, async (ledger) => {
    const attempted = await ledger.db
      .selectFrom('attempt_submission as x')
      .innerJoin('submission_record as s', 's.submission_id', 'x.submission_id')
      .select(['s.submission_id as id', 's.state', 's.tries', 's.resends', 's.environment', 's.operation'])
      .select(['s.drop_id as dropId', 's.priority'])
      .select([
        sql<number | null>`nullif(s.learner_id, ${sql.lit(NO_LEARNER)})`.as('learner'),
        sql<number>`s.record is null`.as('isErased'),
        sql<number>`(select max(attempt_id) from attempt_submission where submission_id = s.submission_id)`.as(
          'latestAttempt',
        ),
        sql<number>`exists (select 1 from response r where r.attempt_id = x.attempt_id and r.late = 0)`.as(
          'isAnswered',
        ),
      ])
      .where('x.attempt_id', '=', attemptId)
      .execute();
    const isKept = attempted.every(({ isErased }) => isErased === 0);
    const [first] = attempted;
    if (first === undefined) throw new Error(`attempt ${attemptId} has no submissions`);
    const isLate = first.isAnswered === 1;
    await insertResponse(ledger, attemptId, answer, { isLate, keepsText: isKept });
    if (!isLate) {
      const counter = { environment: first.environment, outcome: answer.outcome.kind };
      const more = { count: sql`answer_counter.count + 1` };
      await putRow(ledger, 'answer_counter', counter, { count: 1 }, more);
    }
    if (isKept) await insertAlterations(ledger, attemptId, answer.alterations ?? []);
    const attempt = { attemptId, isLate, isAlone: attempted.length === 1 };
    const effects = await mapSeries(attempted, async (submission) => {
      const intents = answered(submission, attempt, answer, policy);
      await applyIntents(ledger, intents, { runId, attemptId });
      const transition = intents.find((intent) => intent.kind === 'transition');
      const state = transition ? settle(submission.state, transition.event) : null;
      const counts = state === 'accepted' || state === 'rejected';
      const stops = counts ? await countCanary(ledger, submission, state, policy.canary) : null;
      return { submissionId: submission.id, state, stops };
    });
    const isSound = answer.outcome.kind === 'accepted' || answer.outcome.kind === 'rejected';
    const endsOutage = isSound && !isLate && (await endOutages(ledger, first.environment, first.operation));
    return { effects, endsOutage };
  });
}

/**
 * Closes the open requests of an environment's earlier owner, whose results are unknown. Call it after taking the
 * environment's lease. @returns the number of attempts.
 */
export async function takeOver(ledger: Ledger, environment: string, policy: AnswerPolicy, runId: number) {
  const abandoned = await ledger.db
    .selectFrom('attempt_open')
    .select('attempt_id as attemptId')
    .where('environment', '=', environment)
    .execute();
  for (const { attemptId } of abandoned) {
    await recordAnswer(
      ledger,
      attemptId,
      { outcome: OWNER_DIED, response: null, failure: { code: 'owner-died' }, durationMs: 0 },
      policy,
      runId,
    );
  }
  return abandoned.length;
}

/** @param keepsText false where the record was erased meanwhile: the response text might identify the person. */
async function insertResponse(
  ledger: Ledger,
  attemptId: number,
  { outcome, response, failure, durationMs }: Answer,
  { isLate, keepsText }: { readonly isLate: boolean; readonly keepsText: boolean },
): Promise<void> {
  const { id } = await ledger.db
    .insertInto('response')
    .values({
      attempt_id: attemptId,
      late: isLate ? 1 : 0,
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
      duration_ms: Math.round(durationMs),
    })
    .returning('response_id as id')
    .executeTakeFirstOrThrow();
  if (response && keepsText) {
    await ledger.db
      .insertInto('response_text')
      .values({
        response_id: id,
        body: response.body,
        detail: response.error?.detail ?? null,
        source: response.error?.source ?? null,
      })
      .execute();
  }
  await ledger.db.deleteFrom('attempt_open').where('attempt_id', '=', attemptId).execute();
}
