import type { Clock } from '../domain/clock.js';
import type { Gate, Permit } from '../domain/gate.js';
import type { Ledger } from '../ledger/query.js';
import {
  clientRef,
  type QuotaRule,
  slotAnswered,
  slotLeaves,
  slotLost,
  slotsSince,
  slotThrottled,
  slotUnused,
  takeSlot,
} from '../ledger/quota.js';

/** Longest wait before the ledger is asked again: another process may have freed a place or ended a pause. */
const LONGEST_WAIT_MS = 1_000;

/**
 * The gate of one client id to one environment: every process that uses the ledger shares the client id's places.
 * @param asked names the environment: what its requests lost comes back when it answers.
 */
export function ledgerGate(
  ledger: Ledger,
  clientId: string,
  rule: QuotaRule,
  clock: Clock,
  asked = '',
): Gate {
  const client = clientRef(clientId);
  return {
    async acquire(purpose, deadlineMs, signal) {
      while (!signal?.aborted) {
        const taken = takeSlot(ledger, client, rule, purpose, deadlineMs, asked);
        if ('slotId' in taken) return permitFor(taken, deadlineMs);
        await clock.sleep(Math.min(taken.waitMs, LONGEST_WAIT_MS), signal);
      }
      return null;
    },
  };

  function permitFor({ slotId, places }: { slotId: number; places: number }, deadlineMs: number): Permit {
    return {
      mayLeave: () => slotLeaves(ledger, slotId, rule, deadlineMs),
      answered: () => slotAnswered(ledger, slotId, rule),
      throttled: (retryAfterMs) => slotThrottled(ledger, client, slotId, rule, retryAfterMs ?? rule.perMs),
      mostCounted: () => places + slotsSince(ledger, client, slotId),
      lost: () => slotLost(ledger, slotId),
      unused: () => slotUnused(ledger, slotId),
    };
  }
}
