import { sql } from 'kysely';
import type { Cause } from '../../../domain/cause.js';
import type { FormerRecord } from '../../../domain/delivery/judge.js';
import type { SameKeyRow } from '../../../domain/delivery/same-key.js';
import { mapSeries } from '../../../domain/process/series.js';
import type { State } from '../../../domain/submission.js';
import {
  type PreparedRecord,
  type RecordKeys,
  type RecordTarget,
  ZERO_HASH,
} from '../../../operations/keys.js';
import { familyOf } from '../../../operations/registry.js';
import { all, bytes, first, type Ledger, preparedQuery, query } from '../../store/query.js';
import { fieldsIn } from '../record/kept-record.js';

/**
 * The revisions of a key, oldest first, including those of a half staged drop. `latestAcceptedAt`: when the latest
 * accepted record of its slot occurred; null: none was accepted, or none with a time.
 */
async function earlierOf(
  ledger: Ledger,
  target: RecordTarget,
  keys: RecordKeys,
): Promise<Omit<FormerRecord, 'content'>> {
  const slot = await all(
    ledger,
    inSlot(target, keys)
      .select(['s.submission_id as submissionId', 's.revision', 's.state', 's.digest', 's.occurred_at as at'])
      .orderBy('s.revision'),
  );
  const accepted = slot.flatMap(({ state, at }) => (state === 'accepted' ? at : []));
  const revisions = slot.filter(({ at }) => at === (keys.occurredAt ?? ''));
  return {
    revisions: revisions.map(({ digest, at: _, ...one }) => ({ ...one, content: digest.toString('hex') })),
    latestAcceptedAt: accepted.sort().at(-1) || null,
  };
}

/**
 * The earlier records of a record under former identifiers of its learner.
 * @param formers its keys under each of them; undefined: there are none.
 */
export async function formerRecords(
  ledger: Ledger,
  target: RecordTarget,
  formers: readonly RecordKeys[] = [],
): Promise<FormerRecord[]> {
  return mapSeries(formers, async (keys) => ({
    content: keys.digest,
    ...(await earlierOf(ledger, target, keys)),
  }));
}

function inSlot({ operation, environment }: RecordTarget, { learner, content }: RecordKeys) {
  return query
    .selectFrom('learner as l')
    .innerJoin('content as c', (join) => join.on('c.hash', '=', bytes(content)))
    .innerJoin('environment as e', (join) => join.on('e.name', '=', environment))
    .innerJoin('operation as o', (join) => join.on('o.name', 'in', familyOf(operation.name)))
    .innerJoin('submission as s', (join) =>
      join
        .onRef('s.learner_id', '=', 'l.learner_id')
        .onRef('s.content_id', '=', 'c.content_id')
        .onRef('s.environment_id', '=', 'e.environment_id')
        .onRef('s.operation_id', '=', 'o.operation_id'),
    )
    .where('l.hash', '=', bytes(learner ?? ZERO_HASH));
}

/** The facts that the ledger has about a record. */
export type KnownRecord = Awaited<ReturnType<typeof knownRecords>>[number];

/**
 * Reads the facts about records that judging them needs: the revisions of their keys, oldest first, and their earlier
 * records under former identifiers of their learners.
 */
export async function knownRecords(
  ledger: Ledger,
  target: RecordTarget,
  records: readonly Pick<PreparedRecord, 'keys' | 'formers'>[],
) {
  return mapSeries(records, async ({ keys, formers }) => ({
    revisions: (await earlierOf(ledger, target, keys)).revisions,
    formers: await formerRecords(ledger, target, formers),
  }));
}

/**
 * The ISO time of the restore from a backup, while it isn't finished; null otherwise. The replaced ledger may have
 * delivered records that were completed before that time and are new to this one.
 */
export async function restoredAt(ledger: Ledger): Promise<string | null> {
  return (await first(ledger, OPEN_RESTORE({})))?.madeAt ?? null;
}

const OPEN_RESTORE = preparedQuery(() =>
  query
    .selectFrom('decision')
    .select('made_at as madeAt')
    .where('kind', '=', 'restore')
    .where('finished_at', 'is', null)
    .orderBy('made_at', 'desc')
    .limit(sql.lit(1)),
);

/** A row of a file with the submission that it became or repeats. Personal. */
export interface RowOfKey extends SameKeyRow {
  readonly dropId: number;
  readonly submissionId: number;
  /** The drop of the submission. */
  readonly madeBy: number;
  readonly revision: number;
  readonly state: State;
  readonly cause: Cause | null;
  readonly environmentId: number;
  readonly isRepeat: 0 | 1;
}

/**
 * The rows of a file with a key, in the order of the file, with corrections. Excludes dismissed and replaced rows.
 * @param dropId the drop whose own rows have no sheet in the result.
 */
export async function rowsOfKey(
  ledger: Ledger,
  key: Key | null,
  dropId: number,
  file: readonly number[],
): Promise<RowOfKey[]> {
  if (key === null) return [];
  const rows = await all(ledger, withKey(key, file));
  return rows.map(({ digest, record, ...row }) => ({
    ...row,
    sheet: row.dropId === dropId ? null : row.sheet,
    content: digest.toString('hex'),
    fields: fieldsIn(record),
  }));
}

type Key = Awaited<ReturnType<typeof keyOf>>;

export async function keyOf(ledger: Ledger, submissionId: number) {
  return ledger.db
    .selectFrom('submission')
    .select(['learner_id as learner', 'content_id as content', 'environment_id as environment'])
    .select(['operation_id as operation', 'occurred_at as at'])
    .where('submission_id', '=', submissionId)
    .executeTakeFirstOrThrow();
}

/** The stored columns of a key; null: no submission has it. */
export async function knownKey(ledger: Ledger, target: RecordTarget, keys: RecordKeys): Promise<Key | null> {
  const [revision] = (await earlierOf(ledger, target, keys)).revisions;
  return revision === undefined ? null : keyOf(ledger, revision.submissionId);
}

function withKey({ learner, content, environment, operation, at }: Key, file: readonly number[]) {
  const drops = sql.join(file);
  return sql<Omit<RowOfKey, 'content' | 'fields'> & { digest: Buffer; record: string | null }>`
    with s as (
      select * from submission_record where learner_id = ${learner} and content_id = ${content}
        and environment_id = ${environment} and operation_id = ${operation} and occurred_at = ${at})
    select x.*, d.sheet from (
      select s.drop_id as "dropId", s.line, s.submission_id as "submissionId", s.drop_id as "madeBy", s.revision, s.digest,
        s.encoded_record as record, s.state, s.cause, s.environment_id as "environmentId", 0 as "isRepeat"
      from s
      union all
      select r.drop_id, r.line, s.submission_id, s.drop_id, s.revision, s.digest, s.encoded_record, s.state, s.cause,
        s.environment_id, 1
      from s join row r on r.submission_id = s.submission_id and r.disposition = 'duplicate'
) x
    join drop_file d on d.drop_id = x."dropId"
    where x."dropId" in (${drops})
      and (x."madeBy" not in (${drops}) or x.state not in ('dismissed', 'replaced'))
    order by x."dropId", x.line`;
}
