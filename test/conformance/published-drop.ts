import { publishDrop } from '../../src/ledger/drops/publish-drop.js';
import { releaseLease } from '../../src/ledger/leases/leases.js';
import type { Ledger } from '../../src/ledger/store/query.js';
import type { Completion } from '../support/prepared-completion.js';
import { fileOf, stagedDrop, stageLease } from './staged-drop.js';

/** Stages a drop whole and publishes it, as a process does that ends then. @returns its number. */
export async function publishedDrop(
  ledger: Ledger,
  name: string,
  rows: readonly Completion[],
): Promise<number> {
  const lease = await stageLease(ledger);
  const dropId = await stagedDrop(ledger, lease, await fileOf(ledger, name), rows);
  await publishDrop(ledger, lease, dropId, { rowsRead: rows.length });
  await releaseLease(ledger, lease);
  return dropId;
}
