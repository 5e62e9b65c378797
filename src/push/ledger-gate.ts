import type { EnvironmentConfig } from '../config/schema.js';
import type { Clock } from '../domain/clock.js';
import type { Gate, Permit } from '../domain/environment/gate.js';
import { clientRef, endPermit, type HeldPermit, takePermit } from '../ledger/permits/quota.js';
import type { Ledger } from '../ledger/store/query.js';

/** Longest wait before the next query of the ledger: another process may have freed a permit or ended a pause. */
const LONGEST_WAIT_MS = 1_000;

/**
 * The gate that requests to an environment pass: every process that uses the ledger shares the client id's permits.
 * @param environment the environment's name: permits of abandoned requests are counted again when it answers.
 */
export function ledgerGate(
  ledger: Ledger,
  { clientId, quota, pace }: Pick<EnvironmentConfig, 'clientId' | 'quota' | 'pace'>,
  clock: Clock,
  environment = '',
): Gate {
  const rule = { ...quota, pace };
  const client = clientRef(clientId);
  return {
    async acquire(purpose, deadlineMs, signal) {
      while (!signal?.aborted) {
        const permit = await takePermit(ledger, client, rule, purpose, deadlineMs, environment);
        if ('permitId' in permit) return permitOf(permit);
        await clock.sleep(Math.min(permit.waitMs, LONGEST_WAIT_MS), signal);
      }
      return null;
    },
  };

  function permitOf(held: HeldPermit): Permit {
    let leftMs = held.leaveByMs;
    return {
      mayLeave() {
        const now = clock.monotonicMs();
        if (now > held.leaveByMs) return false;
        leftMs = now;
        return true;
      },
      answered: () => endPermit(ledger, held, { kind: 'answered' }),
      throttled: (retryAfterMs) =>
        endPermit(ledger, held, { kind: 'throttled', forMs: retryAfterMs ?? rule.perMs }),
      lost: async () => void (await endPermit(ledger, held, { kind: 'lost', leftMs })),
      unused: async () => void (await endPermit(ledger, held, { kind: 'unused' })),
    };
  }
}
