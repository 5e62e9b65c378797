import type { Cause } from '../domain/cause.js';
import type { Row } from '../domain/row.js';
import type { State } from '../domain/submission.js';
import {
  blockSum,
  isSound,
  STORED_SUBMISSION,
  type StoredSubmission,
  submissionSum,
  targetSum,
} from './checksum.js';
import { packRows } from './pack-rows.js';
import { all, change, first, type Ledger, prepared, query, writing } from './query.js';
import { isBlockSound, type StoredBlock, storedBlocks } from './row-blocks.js';
import { move } from './transitions.js';

/** A submission of which the ledger keeps something else than what was staged. Personal. */
export interface DamagedSubmission extends StoredSubmission {
  readonly submissionId: number;
  readonly state: State;
  readonly cause: Cause | null;
}

/** The damaged submissions of a drop. Personal. */
export function damagedSubmissions(ledger: Ledger, dropId: number): DamagedSubmission[] {
  const stored = prepared(ledger, OF_DROP).all(dropId) as DamagedSubmission[];
  return stored.filter((submission) => !isSound(submission));
}

const OF_DROP = `select s.*, t.state, t.cause
  from (${STORED_SUBMISSION}) s join submission t on t.submission_id = s.submissionId
  where s.dropId = ? and s.record is not null`;

/** The damaged blocks of kept cells of a drop. */
export function damagedBlocks(ledger: Ledger, dropId: number): StoredBlock[] {
  return all(ledger, storedBlocks.where('drop_id', '=', dropId)).filter((block) => !isBlockSound(block));
}

/** The file that a drop was taken in from. */
export function dropFile(
  ledger: Ledger,
  dropId: number,
): { readonly sha256: string; readonly bytes: number; readonly sheet: string | null } {
  const found = first(
    ledger,
    query.selectFrom('drop').select(['sha256', 'bytes', 'sheet']).where('drop_id', '=', dropId),
  );
  if (!found) throw new Error(`there is no drop ${dropId}`);
  return found;
}

/**
 * What puts a damaged block back, worked out without writing anything; null where the rows are not what was kept: the cells of
 * somebody may have been left out.
 * @param rows all rows of its lines as they are read from the file again.
 */
export function mendedBlock(block: StoredBlock, rows: readonly Row[]): MendedBlock | null {
  const packed = packRows(rows, () => true);
  const { dropId, firstLine, lastLine, rows: count } = block;
  const sum = blockSum(dropId, { ...packed, firstLine, lastLine, rows: count });
  const cells = Buffer.from(packed.cells);
  // What is damaged may be the checksum.
  const isSame = block.cells !== null && cells.equals(block.cells);
  if (sum !== block.sum && !isSame) return null;
  return { dropId, firstLine, change: isSame ? { sum } : { cells } };
}

/** Which block is to be put back, and how. Personal. */
export interface MendedBlock {
  readonly dropId: number;
  readonly firstLine: number;
  readonly change: { readonly sum: number } | { readonly cells: Buffer };
}

/** Puts the cells of a block back, while a decision to restage is open. */
export function putBackCells(ledger: Ledger, { dropId, firstLine, change: changed }: MendedBlock): void {
  change(
    ledger,
    query
      .updateTable('row_block')
      .set(changed)
      .where('drop_id', '=', dropId)
      .where('first_line', '=', firstLine),
  );
}

/** False where something else of a damaged submission than its record, or the checksum, is not what was staged. */
export function canPutBack(submission: DamagedSubmission, record: string): boolean {
  // What is damaged may be the checksum.
  return mendedSum(submission, record) === submission.sum || record === submission.record;
}

/**
 * Puts the record of a submission back, while the decision to restage is open, and lets it wait where it is held for the
 * damage. Ask `canPutBack` before.
 * @param record of its line, with its own hashes.
 */
export function putBackRecord(
  ledger: Ledger,
  submission: DamagedSubmission,
  record: string,
  decisionId: number,
): void {
  const sum = mendedSum(submission, record);
  const { submissionId: id, state, cause } = submission;
  writing(ledger, () => {
    change(ledger, query.updateTable('submission').set({ record, sum }).where('submission_id', '=', id));
    if (state !== 'held' || cause !== 'damaged') return;
    move(ledger, { id, state }, 'rerun', { decisionId, cause: 'put-back', freshPatience: true });
  });
}

function mendedSum(submission: DamagedSubmission, record: string) {
  return submissionSum(targetSum(submission), { ...submission, record });
}
