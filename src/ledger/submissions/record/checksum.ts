import { crc32 } from 'node:zlib';
import type { RecordIdentity } from './keys.js';

/** The text of a record for its checksum, without its shape: its key, its content and its values; null once these are erased. */
export function summedText(
  { key, content }: RecordIdentity,
  { values }: { readonly values: string | null },
): string {
  return `${key}${content}${values ?? ''}`;
}

/** Checksum (CRC-32) of a kept record, as a signed 32-bit integer. */
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

/** The part of the checksums that all submissions of a staging have in common. */
export interface SummedTarget {
  readonly operation: string;
  readonly environment: string;
  readonly dropId: number;
}

/** The part of the checksums that is computed once for many submissions. */
export function targetSum({ operation, environment, dropId }: SummedTarget): number {
  return crc32(`${operation}\n${environment}\n${dropId}`) | 0;
}

/**
 * Checksum of the columns of a submission that never change, so that a record with a byte changed by the disk isn't delivered:
 * SQLite notices such a byte only where its own structure breaks. The odd factors ensure that every change of a line or a
 * revision changes the sum.
 */
export function submissionSum(ofTarget: number, ofRecord: number, line: number, revision: number): number {
  return ofTarget ^ ofRecord ^ Math.imul(line, 0x9e3779b1) ^ Math.imul(revision, 0x85ebca6b);
}

/** The kept columns of a submission, with its checksum; hashes as hex digits. Personal. */
export interface StoredSubmission extends SummedTarget, RecordIdentity {
  readonly line: number;
  readonly revision: number;
  readonly shape: string;
  /** null once erased: then the checksum can't be verified any more. */
  readonly values: string | null;
  /** The encoded record, which `fieldsIn` decodes; null once erased. */
  readonly record: string | null;
  readonly sum: number;
}

/** False where the kept submission differs from what was written; true where its record was erased. */
export function isSound(of: StoredSubmission): boolean {
  return of.values === null || storedSum(of) === of.sum;
}

/** The checksum of a submission as it is kept. */
export function storedSum(of: StoredSubmission): number {
  return submissionSum(targetSum(of), textSum(summedText(of, of), of.shape), of.line, of.revision);
}
