import { isoFromMs } from '../domain/clock.js';
import { type Answer, insertResponse } from './answers.js';
import { change, type Ledger, query, writing } from './query.js';

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

/** Notes a call before its request leaves. Returns its attempt. */
export function openCall(ledger: Ledger, runId: number, call: CallFacts): number {
  return writing(ledger, () => {
    const { environment } = call;
    const { id } = change(
      ledger,
      query.insertInto('attempt').values({
        run_id: runId,
        environment,
        operation: 'call',
        // No lease: it is about no row.
        lease_token: 0,
        started_at: isoFromMs(ledger.clock.nowMs()),
      }),
    );
    change(ledger, query.insertInto('attempt_open').values({ attempt_id: id, environment }));
    change(
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

/** Keeps what came of it. */
export function closeCall(ledger: Ledger, attemptId: number, answer: Answer): void {
  writing(ledger, () => void insertResponse(ledger, attemptId, answer, true));
}
