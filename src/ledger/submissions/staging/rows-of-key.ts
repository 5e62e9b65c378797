import { sql } from 'kysely';
import type { Cause } from '../../../domain/cause.js';
import type { SameKeyRow } from '../../../domain/delivery/same-key.js';
import type { State } from '../../../domain/submission.js';
import type { RecordKeys, RecordTarget } from '../../../operations/keys.js';
import { all, type Ledger } from '../../store/query.js';
import { fieldsIn } from '../record/kept-record.js';
import { revisionsOf } from './revisions.js';

/** A row of a file with the submission that it became or repeats. Personal. */
export interface RowOfKey extends SameKeyRow {
  readonly dropId: number;
  readonly submissionId: number;
  /** The drop that has made the submission. */
  readonly madeBy: number;
  readonly revision: number;
  readonly state: State;
  readonly cause: Cause | null;
  readonly environmentId: number;
  readonly isRepeat: 0 | 1;
}

/**
 * The rows of a file that have a key, in the order of the file, corrected ones as they were corrected. Those that a person has
 * dismissed or that were replaced are left out.
 * @param dropId the drop from which they are seen: its own rows name no sheet.
 */
export async function rowsOfKey(
  ledger: Ledger,
  key: Key | null,
  dropId: number,
  file: readonly number[],
): Promise<RowOfKey[]> {
  if (key === null) return [];
  const rows = await all(ledger, withKey(key, file));
  return rows.map(({ digest, told, ...row }) => ({
    ...row,
    sheet: row.dropId === dropId ? null : row.sheet,
    content: digest.toString('hex'),
    fields: fieldsIn(told),
  }));
}

type Key = Awaited<ReturnType<typeof keyOf>>;

/** The columns of a submission's key. */
export async function keyOf(ledger: Ledger, submissionId: number) {
  return ledger.db
    .selectFrom('submission')
    .select(['learner_id as learner', 'content_id as content', 'environment_id as environment'])
    .select(['operation_id as operation', 'occurred_at as at'])
    .where('submission_id', '=', submissionId)
    .executeTakeFirstOrThrow();
}

/** The key as it is kept; null: no submission has it. */
export async function knownKey(ledger: Ledger, target: RecordTarget, keys: RecordKeys): Promise<Key | null> {
  const [revision] = await revisionsOf(ledger, target, keys);
  return revision === undefined ? null : keyOf(ledger, revision.submissionId);
}

function withKey({ learner, content, environment, operation, at }: Key, file: readonly number[]) {
  const drops = sql.join(file);
  return sql<Omit<RowOfKey, 'content' | 'fields'> & { digest: Buffer; told: string | null }>`
    with s as (
      select * from submission_record where learner_id = ${learner} and content_id = ${content}
        and environment_id = ${environment} and operation_id = ${operation} and occurred_at = ${at})
    select x.*, d.sheet from (
      select s.drop_id as "dropId", s.line, s.submission_id as "submissionId", s.drop_id as "madeBy", s.revision, s.digest,
        s.told, s.state, s.cause, s.environment_id as "environmentId", 0 as "isRepeat"
      from s
      union all
      select r.drop_id, r.line, s.submission_id, s.drop_id, s.revision, s.digest, s.told, s.state, s.cause,
        s.environment_id, 1
      from s join row r on r.submission_id = s.submission_id and r.disposition = 'duplicate'
) x
    join drop_file d on d.drop_id = x."dropId"
    where x."dropId" in (${drops})
      and (x."madeBy" not in (${drops}) or x.state not in ('dismissed', 'replaced'))
    order by x."dropId", x.line`;
}
