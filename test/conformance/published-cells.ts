import { beginDrop } from '../../src/ledger/drops/begin-drop.js';
import type { DropFacts } from '../../src/ledger/drops/drops.js';
import { publishDrop } from '../../src/ledger/drops/publish-drop.js';
import { releaseLease } from '../../src/ledger/leases/leases.js';
import type { Ledger } from '../../src/ledger/store/query.js';
import { stageBatch } from '../../src/ledger/submissions/staging.js';
import { submitCompletion } from '../../src/operations/submit-completion.js';
import { withCells } from '../support/with-cells.js';
import { PLAN, stageLease } from './staged-drop.js';

/** The first row of each published drop. */
export const HEADER = ['Email'];

/** Publishes a drop with these rows below a header, none of which is a record. @returns its number. */
export async function publishedCells(
  ledger: Ledger,
  file: DropFacts,
  rows: readonly string[][],
): Promise<number> {
  const lease = await stageLease(ledger);
  const { dropId } = await beginDrop(ledger, file, PLAN);
  const target = { dropId, operation: submitCompletion, environment: 'main', sendAmendments: false };
  const read = [HEADER, ...rows];
  const prepared = read.map((_, index) => ({
    kind: index === 0 ? ('non-data' as const) : ('invalid' as const),
    line: index + 1,
    issues: [],
  }));
  await stageBatch(ledger, lease, target, { rows: withCells(prepared, (_, index) => read[index] ?? []) });
  await publishDrop(ledger, lease, dropId, { rowsRead: read.length });
  await releaseLease(ledger, lease);
  return dropId;
}
