import type { Cause } from '../../../domain/cause.js';
import { releasedAsMended } from '../../../domain/delivery/damage.js';
import type { Row } from '../../../domain/row.js';
import type { State } from '../../../domain/submission.js';
import { all, change, type Ledger, prepared, query } from '../../store/query.js';
import { carryOut } from '../../submissions/carry-out.js';
import { blockSum, isSound, type StoredSubmission, storedSum } from '../../submissions/record/checksum.js';
import type { PreparedRecord } from '../../submissions/record/prepared-record.js';
import { STORED_SUBMISSION } from '../../submissions/record/stored-submission.js';
import { packRows } from '../rows/pack-rows.js';
import { isBlockSound, type StoredBlock, storedBlocks } from '../rows/row-blocks.js';

/** A submission whose record in the ledger differs from what was staged. Personal. */
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

const OF_DROP = `select x.*, t.state, t.cause
  from (${STORED_SUBMISSION}) x join submission t on t.submission_id = x.submissionId
  where t.drop_id = ? and t.record is not null`;

/** The damaged blocks of kept cells of a drop. */
export async function damagedBlocks(ledger: Ledger, dropId: number): Promise<StoredBlock[]> {
  return (await all(ledger, storedBlocks.where('drop_id', '=', dropId))).filter(
    (block) => !isBlockSound(block),
  );
}

/**
 * The repair of a damaged block, computed without writing anything; null where the rows are not the ones that were kept: a
 * person's cells may have been left out.
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

/** The repair of a block of kept cells. Personal. */
export interface MendedBlock {
  readonly dropId: number;
  readonly firstLine: number;
  readonly change: { readonly sum: number } | { readonly cells: Buffer };
}

/** A damaged submission, and the record that was read from its line again, with its hashes. */
export interface MendedRecord {
  readonly submission: DamagedSubmission;
  readonly record: PreparedRecord;
}

/** Writes the cells of a block again, while a decision to restage is open. */
export async function putBackCells(
  ledger: Ledger,
  { dropId, firstLine, change: changed }: MendedBlock,
): Promise<void> {
  await change(
    ledger,
    query
      .updateTable('row_block')
      .set(changed)
      .where('drop_id', '=', dropId)
      .where('first_line', '=', firstLine),
  );
}

/** False where more than the record or the checksum of a damaged submission differs from what was staged. */
export function canPutBack(submission: DamagedSubmission, read: PreparedRecord): boolean {
  const { shape, values } = read.record;
  if (shape !== submission.shape) return false;
  // What is damaged may be the checksum.
  return mendedSum(submission, values) === submission.sum || values === submission.values;
}

/**
 * Writes the record of a submission again, while the decision to restage is open, and lets the submission wait where it is held
 * for the damage. Ask `canPutBack` before.
 */
export async function putBackRecord(
  ledger: Ledger,
  { submission, record }: MendedRecord,
  decisionId: number,
): Promise<void> {
  const { values } = record.record;
  const sum = mendedSum(submission, values);
  const { submissionId: id, state, cause } = submission;
  await change(
    ledger,
    query.updateTable('submission').set({ record: values, sum }).where('submission_id', '=', id),
  );
  await carryOut(ledger, [releasedAsMended({ id, state, cause })], { decisionId });
}

function mendedSum(submission: DamagedSubmission, values: string) {
  return storedSum({ ...submission, values });
}
