import { type Ledger, prepared } from '../../store/query.js';
import { isSound, type StoredSubmission } from './checksum.js';

/** False where the kept submission differs from what was written; true where there is no such submission. */
export function isSubmissionSound(ledger: Ledger, submissionId: number): boolean {
  const found = storedSubmission(ledger, submissionId);
  return found === undefined || isSound(found);
}

/** A submission as the ledger keeps it; undefined where there is none. Personal. */
export function storedSubmission(ledger: Ledger, submissionId: number): StoredSubmission | undefined {
  return prepared(ledger, `${STORED_SUBMISSION} where submission_id = ?`).get(submissionId) as
    | StoredSubmission
    | undefined;
}

/** The query for kept submissions. A submission whose shape is lost is reported as damaged, not left out. */
export const STORED_SUBMISSION = `select w.submission_id as submissionId, ifnull(w.operation, '') as operation,
  ifnull(w.environment, '') as environment, w.drop_id as dropId, w.line, w.revision, lower(hex(w.key)) as key,
  lower(hex(w.content)) as content, ifnull((select fields from shape h where h.shape_id = w.shape_id), '') as shape,
  s.record as "values", w.encoded as record, w.sum
  from submission s join submission_in_words w using (submission_id)`;
