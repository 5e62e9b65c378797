import { type Ledger, writing } from '../store/query.js';
import { openAttempt } from '../submissions/open-attempt.js';
import { type Answer, insertResponse } from './answers.js';

/** A request that a person made by hand. */
export interface CallFacts {
  readonly environment: string;
  readonly method: string;
  /** Below the environment's `baseUrl`. Personal: it may name somebody. */
  readonly path: string;
  readonly scope: string;
  /** Lower-case hex SHA-256 of the body; null when there is none. The body itself is not kept. */
  readonly bodySha256: string | null;
  readonly who: string;
}

/**
 * Records a call before its request leaves, makes the call, and keeps the result. A call whose process dies meanwhile becomes one
 * without an answer.
 */
export async function keepCall<Answered extends Answer>(
  ledger: Ledger,
  runId: number,
  call: CallFacts,
  make: () => Promise<Answered>,
): Promise<Answered> {
  const { environment, method, path, scope, bodySha256, who } = call;
  const attemptId = await writing(ledger, async (ledger) => {
    const attempt_id = await openAttempt(ledger, { runId, environment, operation: 'call', leaseFence: 0 });
    const kept = { attempt_id, method, path, scope, body_sha256: bodySha256, who };
    await ledger.db.insertInto('call').values(kept).execute();
    return attempt_id;
  });
  const answer = await make();
  await writing(ledger, async (ledger) => insertResponse(ledger, attemptId, answer, true));
  return answer;
}
