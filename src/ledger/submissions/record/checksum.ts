import { crc32 } from 'node:zlib';
import type { RowBlock } from '../../drops/rows/pack-rows.js';
import type { RecordIdentity } from './keys.js';

/** What is kept of a record but for its shape, as it is summed: its key, its content and its values; null once these are erased. */
export function summedText(
  { key, content }: RecordIdentity,
  { values }: { readonly values: string | null },
): string {
  return `${key}${content}${values ?? ''}`;
}

/** Checksum (CRC-32) of what is kept of a record, as a whole number of 32 bits with its sign. */
export function textSum(text: string, shape: string): number {
  return crc32(text, shapeSum(shape)) | 0;
}

let lastShape = '';
let lastSum = 0;

/** Most records have the shape of the one before them. */
function shapeSum(shape: string): number {
  if (shape !== lastShape) {
    lastSum = crc32(shape);
    lastShape = shape;
  }
  return lastSum;
}

/** What is the same for all submissions that a staging makes, as a part of their checksums. */
export interface SummedTarget {
  readonly operation: string;
  readonly environment: string;
  readonly dropId: number;
}

/** The part of checksums that is worked out once for many submissions. */
export function targetSum({ operation, environment, dropId }: SummedTarget): number {
  return crc32(`${operation}\n${environment}\n${dropId}`) | 0;
}

/**
 * Checksum of what never changes of a submission, so that a byte that a disk has changed isn't delivered: SQLite notices that
 * only where its own structure breaks. Odd factors see to it that no change of a line or a revision leaves it as it was.
 */
export function submissionSum(ofTarget: number, ofRecord: number, line: number, revision: number): number {
  return ofTarget ^ ofRecord ^ Math.imul(line, 0x9e3779b1) ^ Math.imul(revision, 0x85ebca6b);
}

/** Checksum of a block of kept cells. */
export function blockSum(dropId: number, { firstLine, lastLine, rows, cells }: RowBlock): number {
  return crc32(cells, crc32(`${dropId}\n${firstLine}\n${lastLine}\n${rows}\n`));
}

/** What the ledger keeps of a submission, with its checksum; hashes as hex digits. Personal. */
export interface StoredSubmission extends SummedTarget, RecordIdentity {
  readonly line: number;
  readonly revision: number;
  readonly shape: string;
  /** null once erased: then nobody can say any more. */
  readonly values: string | null;
  /** The record as it is told, of which `fieldsIn` makes its fields; null once erased. */
  readonly record: string | null;
  readonly sum: number;
}

/** False where what the ledger keeps of a submission is not what was written; true where its record was erased. */
export function isSound(of: StoredSubmission): boolean {
  return of.values === null || storedSum(of) === of.sum;
}

/** The checksum that a submission has by what is kept of it. */
export function storedSum(of: StoredSubmission): number {
  return submissionSum(targetSum(of), textSum(summedText(of, of), of.shape), of.line, of.revision);
}
