import { isoFromMs } from '../../domain/clock.js';
import { change, inserted, type Ledger, query, writing } from '../store/query.js';
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
  const attemptId = await openCall(ledger, runId, call);
  const answer = await make();
  await writing(ledger, async (ledger) => insertResponse(ledger, attemptId, answer, true));
  return answer;
}

/** @returns the number of its attempt. */
async function openCall(ledger: Ledger, runId: number, call: CallFacts): Promise<number> {
  return writing(ledger, async (ledger) => {
    const { environment } = call;
    const { id } = await inserted(
      ledger,
      query
        .insertInto('attempt')
        .values({
          run_id: runId,
          environment,
          operation: 'call',
          // No lease: a call delivers no row.
          lease_fence: 0,
          started_at: isoFromMs(ledger.clock.nowMs()),
        })
        .returning('attempt_id as id'),
    );
    await change(ledger, query.insertInto('attempt_open').values({ attempt_id: id, environment }));
    await change(
      ledger,
      query.insertInto('call').values({
        attempt_id: id,
        method: call.method,
        path: call.path,
        scope: call.scope,
        body_sha256: call.bodySha256,
        who: call.who,
      }),
    );
    return id;
  });
}
