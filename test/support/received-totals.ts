import { join } from 'node:path';
import { systemClock } from '../../src/domain/clock.js';
import { closeLedger, openLedgerToRead } from '../../src/ledger/open.js';
import { reconcile } from '../../src/report/report.js';
import type { ReceivedRequest } from '../../src/sandbox/received-log.js';

/**
 * How a workspace's report differs from what its platform received: each accepted submission was written once, and what
 * was written beyond that the report counts as sent again, or as a request of which nobody knows what came of it. Null
 * where they agree.
 */
export function unlikeReceived(root: string, received: readonly ReceivedRequest[]): string | null {
  const ledger = openLedgerToRead(join(root, 'registrar.db'), systemClock());
  if (ledger === null) return null;
  try {
    const { states, attempts } = reconcile(ledger, {});
    const written = received.reduce((sum, request) => sum + (request.written ? recordsIn(request) : 0), 0);
    const unsure = ledger.sqlite.prepare(UNSURE).pluck().get() as number;
    const most = states.accepted + attempts.repeats + unsure;
    if (written >= states.accepted && written <= most) return null;
    return `the platform has written ${written} times, and the report has ${states.accepted} accepted, ${attempts.repeats} sent again and ${unsure} that may have arrived`;
  } finally {
    closeLedger(ledger);
  }
}

/** A request of a list carries out each of its entries (specification §4.1). */
function recordsIn({ entries }: ReceivedRequest): number {
  return entries ?? 1;
}

/** Requests that may have been carried out for what is not accepted. */
const UNSURE = `select count(*) from attempt a
  join attempt_submission x using (attempt_id)
  join submission s using (submission_id)
  left join response r on r.attempt_id = a.attempt_id and r.late = 0
  where s.state <> 'accepted' and (r.outcome is null or r.outcome in ('transient', 'unknown'))`;
