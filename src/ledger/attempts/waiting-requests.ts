import { sql } from 'kysely';
import { OPERATIONS } from '../../operations/registry.js';
import { isStaged } from '../drops/drops.js';
import { clientRef, quotaUse } from '../permits/quota.js';
import { inEnvironment, type Ledger } from '../store/query.js';
import { countWaiting, waitingSince } from '../submissions/waiting.js';
import { outagesOpen } from './outages.js';

export type WaitingDelivery = Awaited<ReturnType<typeof waitingDelivery>>;

/**
 * Counts an environment's waiting rows and the requests that deliver them if each succeeds (rows may share one), and
 * reads what delays them: a pause of the client id, and whether the last run found the environment down.
 */
export async function waitingDelivery(ledger: Ledger, environment: string, clientId: string) {
  return {
    ...(await waitingRequests(ledger, environment)),
    pausedForMs: (await quotaUse(ledger, clientRef(clientId))).pausedForMs,
    isDown: (await outagesOpen(ledger, environment)).includes(null),
    since: await waitingSince(ledger, environment),
  };
}

async function waitingRequests(ledger: Ledger, environment: string) {
  const rows = await countWaiting(ledger, environment);
  let requests = rows;
  for (const { name, maxPerRequest } of OPERATIONS) {
    if (maxPerRequest === undefined) continue;
    const groups = await ledger.db
      .selectFrom('submission as s')
      .innerJoin('content as c', 'c.content_id', 's.content_id')
      .innerJoin('operation as o', 'o.operation_id', 's.operation_id')
      .select(sql<number>`count(*)`.as('size'))
      .where(inEnvironment(environment))
      .where('s.state', '=', sql.lit('waiting'))
      .where('o.name', '=', name)
      .where(isStaged('s.drop_id'))
      .groupBy('c.identifier')
      .execute();
    for (const { size } of groups) requests += Math.ceil(size / maxPerRequest) - size;
  }
  return { rows, requests };
}
