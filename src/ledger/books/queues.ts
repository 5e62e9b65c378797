import type { WaitingQueue } from '../../documents/report.js';
import { mapSeries } from '../../domain/process/series.js';
import { leaseHolder } from '../leases/leases.js';
import type { Ledger } from '../store/query.js';
import { countByEnvironment } from '../submissions/waiting/waiting-count.js';

/** The queues in which anything waits. @param but names of environments that are left out. */
export async function queuesWaiting(ledger: Ledger, but: readonly string[] = []): Promise<WaitingQueue[]> {
  const waiting = (await countByEnvironment(ledger, 'waiting')).filter(
    (one) => !but.includes(one.environment),
  );
  return mapSeries(waiting, async ({ environment, count }) => ({
    environment,
    waiting: count,
    pushedBy: await leaseHolder(ledger, `push:${environment}`),
  }));
}
