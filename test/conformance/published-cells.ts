import { beginDrop } from '../../src/ledger/drops/begin-drop.js';
import type { DropFacts } from '../../src/ledger/drops/drops.js';
import { publishDrop } from '../../src/ledger/drops/publish-drop.js';
import type { Ledger } from '../../src/ledger/store/query.js';
import { PLAN, stageRows } from './stage-rows.js';
import { leaseUnderWay } from './under-way.js';

/** The first row of each published drop. */
export const HEADER = ['Email'];

/** Publishes a drop with these rows below a header, none of which is a record. @returns its number. */
export async function publishedCells(
  ledger: Ledger,
  file: DropFacts,
  rows: readonly string[][],
): Promise<number> {
  const { held, end } = await leaseUnderWay(ledger, 'stage');
  const [lease] = held.leases;
  const { dropId } = await beginDrop(ledger, file, PLAN);
  await stageRows(
    ledger,
    lease,
    { dropId },
    {
      rows: rows.map((_, index) => ({ kind: 'invalid', line: index + 2, issues: [] })),
      cells: [HEADER, ...rows].map((cells, index) => ({ line: index + 1, cells })),
    },
  );
  await publishDrop(ledger, lease, dropId, { rowsRead: rows.length });
  await end();
  return dropId;
}
