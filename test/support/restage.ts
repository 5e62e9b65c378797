import { carryOut, plan, type RestagedDrop } from '../../src/actions/restage/restage.js';
import type { SourceConfig } from '../../src/config/schema.js';
import type { Ledger } from '../../src/ledger/store/query.js';
import { actionContext } from './action-context.js';
import { decider } from './decider.js';

/** Restages a drop as somebody does, and checks that it does what its plan says. */
export async function restage(
  ledger: Ledger,
  dropId: number,
  source: SourceConfig,
  archive = '/nowhere/at/all',
): Promise<RestagedDrop> {
  const context = actionContext(ledger, { sources: [source] });
  const inPlace = { ...context, paths: { ...context.paths, archive } };
  const planned = await plan(inPlace, { drop: String(dropId), limit: 20 });
  const done = await carryOut(inPlace, planned, decider('somebody'), null);
  if (planned.outlook !== null) {
    const { records: _records, ...outlook } = planned.outlook;
    const { decisionId: _decisionId, ...did } = done;
    if (JSON.stringify(outlook) !== JSON.stringify(did)) {
      throw new Error(`planned ${JSON.stringify(outlook)}, did ${JSON.stringify(did)}`);
    }
  }
  return done;
}
