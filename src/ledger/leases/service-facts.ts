import { sql } from 'kysely';
import { first, type Ledger, query, reading } from '../store/query.js';
import { type HeldLease, heldLeases } from './held-leases.js';
import { serviceStartedAt } from './jobs.js';

/** What the ledger knows of the service. It holds nothing while it waits, so that it lives is known of its last sign alone. */
export interface ServiceFacts {
  /** When the service that started last did so; null: none ever has. */
  readonly startedAt: string | null;
  /** When a service last began or ended something; null: none ever has. */
  readonly seenAt: string | null;
  /** The leases that processes hold now, of whatever kind of run. */
  readonly work: readonly HeldLease[];
}

/** Reads when a service was last seen, and who works now. */
export async function readService(ledger: Ledger): Promise<ServiceFacts> {
  return reading(ledger, async (ledger) => {
    const startedAt = await serviceStartedAt(ledger);
    const slots = await first(
      ledger,
      query.selectFrom('job_slot').select(sql<string | null>`max(coalesce(ended_at, began_at))`.as('at')),
    );
    // Runs of cron are the service's, or of the system's own cron, which does the same.
    const ran = await first(
      ledger,
      query
        .selectFrom('run')
        .select(sql<string>`coalesce(ended_at, started_at)`.as('at'))
        .where('trigger', '=', 'cron')
        .orderBy('run_id', 'desc')
        .limit(1),
    );
    const seen = [startedAt, slots?.at, ran?.at].filter((at) => typeof at === 'string').sort();
    const held = await heldLeases(ledger);
    return { startedAt, seenAt: seen.at(-1) ?? null, work: held.filter(({ isAlive }) => isAlive) };
  });
}
