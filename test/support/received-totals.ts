import { disconnect } from '../../src/ledger/store/open.js';
import type { Ledger } from '../../src/ledger/store/query.js';
import { reconcile } from '../../src/report/report.js';
import type { ReceivedRequest } from '../../src/sandbox/received.js';
import { listedAttempts } from './listed-attempts.js';
import { type LedgerOfTest, openLedgerOf } from './workspace-ledger.js';

/**
 * How a workspace's report differs from what its platform received: each accepted submission was written once, and what
 * was written beyond that the report counts as sent again, or as a request of unknown outcome. Null
 * where they agree.
 */
export async function receivedDifference(
  workspace: LedgerOfTest,
  received: readonly ReceivedRequest[],
): Promise<string | null> {
  const ledger = await openLedgerOf(workspace);
  if (ledger === null) return null;
  try {
    return await receivedDifferenceIn(ledger, received);
  } finally {
    await disconnect(ledger);
  }
}

/** The same for an open ledger. */
export async function receivedDifferenceIn(
  ledger: Ledger,
  received: readonly ReceivedRequest[],
): Promise<string | null> {
  const { states, attempts } = await reconcile(ledger, {});
  const written = received.reduce((sum, request) => sum + (request.written ? recordsIn(request) : 0), 0);
  const unsure = await unsureIn(ledger);
  const most = states.accepted + attempts.repeats + unsure;
  if (written >= states.accepted && written <= most) return null;
  return `the platform has written ${written} times, and the report has ${states.accepted} accepted, ${attempts.repeats} sent again and ${unsure} that may have arrived`;
}

/** A request of a list carries out each of its entries (specification §4.1). */
function recordsIn({ entries }: ReceivedRequest): number {
  return entries ?? 1;
}

/** How many submissions that are not accepted each request was for that may have been carried out, all together. */
async function unsureIn(ledger: Ledger): Promise<number> {
  let unsure = 0;
  for await (const { state, outcome, submissions } of listedAttempts(ledger)) {
    const mayBeThere = outcome === null || outcome === 'transient' || outcome === 'unknown';
    if (state !== 'accepted' && mayBeThere) unsure += submissions;
  }
  return unsure;
}
