import type { Clock } from '../domain/clock.js';
import type { Gate } from '../domain/gate.js';
import type { Ledger } from '../ledger/query.js';
import { clientRef, type QuotaRule, slotAnswered, slotUnused, takeSlot } from '../ledger/quota.js';

/** Longest wait before the ledger is asked again: another process may have freed a place or ended a pause. */
const LONGEST_WAIT_MS = 1_000;

/** The gate of one client id: every process that uses the ledger shares its places. */
export function ledgerGate(ledger: Ledger, clientId: string, rule: QuotaRule, clock: Clock): Gate {
  const client = clientRef(clientId);
  return {
    async acquire(purpose, deadlineMs, signal) {
      while (!signal?.aborted) {
        const taken = takeSlot(ledger, client, rule, purpose, deadlineMs);
        if ('slotId' in taken) {
          return {
            answered: () => slotAnswered(ledger, taken.slotId, rule),
            // The place was taken until the deadline and a period from the start.
            lost: () => {},
            unused: () => slotUnused(ledger, taken.slotId),
          };
        }
        await clock.sleep(Math.min(taken.waitMs, LONGEST_WAIT_MS), signal);
      }
      return null;
    },
  };
}
