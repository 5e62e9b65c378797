import { crc32 } from 'node:zlib';
import type { RowBlock } from './pack-rows.js';
import { first, type Ledger, prepared, query } from './query.js';

/** What is the same for all submissions that a staging makes, as the first part of their checksums. */
export interface SummedTarget {
  readonly operation: string;
  readonly environment: string;
  readonly dropId: number;
}

/** What never changes of a submission; hashes as hex digits, the learner's empty where it is about nobody. */
export interface SummedSubmission {
  readonly line: number;
  readonly revision: number;
  readonly learner: string;
  readonly slot: string;
  readonly key: string;
  readonly content: string;
  readonly occurredAt: string | null;
  readonly record: string;
}

/** The first part of a checksum, worked out once for many submissions. */
export function targetSum({ operation, environment, dropId }: SummedTarget): number {
  return crc32(`${operation}\n${environment}\n${dropId}\n`);
}

/**
 * Checksum (CRC-32) of what never changes of a submission, so that a byte that a disk has changed isn't delivered: SQLite
 * notices that only where its own structure breaks.
 */
export function submissionSum(ofTarget: number, of: SummedSubmission): number {
  const { line, revision, learner, slot, key, content, occurredAt, record } = of;
  return crc32(
    `${line}\n${revision}\n${learner}\n${slot}${key}${content}\n${occurredAt ?? ''}\n${record}`,
    ofTarget,
  );
}

/** Checksum of a block of kept cells. */
export function blockSum(dropId: number, { firstLine, lastLine, rows, cells }: RowBlock): number {
  return crc32(cells, crc32(`${dropId}\n${firstLine}\n${lastLine}\n${rows}\n`));
}

/** What the ledger keeps of a submission, with its checksum. Personal. */
export interface StoredSubmission extends SummedTarget, Omit<SummedSubmission, 'record'> {
  /** null once erased: then nobody can say any more. */
  readonly record: string | null;
  readonly sum: number;
}

/** False where what the ledger keeps of a submission is not what was written; true where its record was erased. */
export function isSound(of: StoredSubmission): boolean {
  const { record } = of;
  return record === null || submissionSum(targetSum(of), { ...of, record }) === of.sum;
}

/** The same of the submission with this number; true where there is none. */
export function isSubmissionSound(ledger: Ledger, submissionId: number): boolean {
  const found = storedSubmission(ledger, submissionId);
  return found === undefined || isSound(found);
}

/** What the ledger keeps of a submission; undefined where there is none. Personal. */
export function storedSubmission(ledger: Ledger, submissionId: number): StoredSubmission | undefined {
  return prepared(ledger, `${STORED_SUBMISSION} where submission_id = ?`).get(submissionId) as
    | StoredSubmission
    | undefined;
}

/** The query for them. */
export const STORED_SUBMISSION = `select submission_id as submissionId, operation, environment, drop_id as dropId, line, revision, lower(hex(learner)) as learner,
  lower(hex(slot)) as slot, lower(hex(key)) as key, lower(hex(content)) as content, occurred_at as occurredAt, record,
  sum from submission`;

/** A row, or some rows, of which the ledger keeps something else than what was written. */
export interface DamagedRows {
  readonly dropId: number;
  readonly file: string;
  readonly firstLine: number;
  readonly lastLine: number;
  /** `record`: of the submission that a row became. `cells`: of all rows between the two lines. */
  readonly what: 'record' | 'cells';
}

/** Goes through all records and kept cells of published drops, one after the other; 2 s for a million rows. */
export function* damagedRows(ledger: Ledger): Generator<DamagedRows> {
  const fileOf = (dropId: number) =>
    first(ledger, query.selectFrom('drop').select('file_name as file').where('drop_id', '=', dropId))?.file ??
    '';
  const submissions = ledger.sqlite
    .prepare(`${STORED_SUBMISSION} where record is not null`)
    .iterate() as IterableIterator<StoredSubmission>;
  for (const submission of submissions) {
    if (isSound(submission)) continue;
    const { dropId, line } = submission;
    yield { dropId, file: fileOf(dropId), firstLine: line, lastLine: line, what: 'record' };
  }
  const blocks = ledger.sqlite.prepare(BLOCKS).iterate() as IterableIterator<RowBlock & StoredBlock>;
  for (const block of blocks) {
    const { dropId, firstLine, lastLine } = block;
    if (blockSum(dropId, block) === block.sum) continue;
    yield { dropId, file: fileOf(dropId), firstLine, lastLine, what: 'cells' };
  }
}

interface StoredBlock {
  readonly dropId: number;
  readonly sum: number;
}

const BLOCKS = `select drop_id as dropId, first_line as firstLine, last_line as lastLine, rows, cells, sum from row_block
  where cells is not null`;
