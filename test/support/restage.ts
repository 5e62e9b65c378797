import { type RestagedDrop, restage as verb } from '../../src/actions/restage/restage.js';
import type { SourceConfig } from '../../src/config/schema.js';
import type { Ledger } from '../../src/ledger/store/query.js';
import { actionContext } from './action-context.js';
import { decider } from './decider.js';

/** Restages a drop as an operator does, and checks that it does what its plan says. */
export async function restage(ledger: Ledger, dropId: number, source: SourceConfig): Promise<RestagedDrop> {
  const context = actionContext(ledger, { sources: [source] });
  const planned = await verb.plan(context, { drop: String(dropId), limit: 20 });
  const done = await verb.carryOut(context, planned, decider('somebody'), null);
  const { records: _records, ...outlook } = planned.outlook;
  const { decisionId: _decisionId, ...did } = done;
  if (JSON.stringify(outlook) !== JSON.stringify(did)) {
    throw new Error(`planned ${JSON.stringify(outlook)}, did ${JSON.stringify(did)}`);
  }
  return done;
}
