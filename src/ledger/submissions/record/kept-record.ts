import { type InferResult, sql } from 'kysely';
import type { NormalisedRecord } from '../../../domain/record.js';
import { type KeyMaker, keyMaker } from '../../../operations/keys.js';
import type { Operation } from '../../../operations/operation.js';
import { fieldsOf, type RecordParts } from '../../../operations/record-text.js';
import { operationNamed } from '../../../operations/registry.js';
import { each, first, type Ledger, query } from '../../store/query.js';

/** A submission's record and hashes; undefined: there is no such submission. Personal. */
export async function keptRecord(ledger: Ledger, submissionId: number) {
  const row = await first(ledger, keptRecords.where('s.submission_id', '=', submissionId));
  return row && asHex(row);
}

/** The parts of records and the hashes that prove them, for `asHex`. Personal. */
export const keptRecords = query
  .selectFrom('submission_record as s')
  .select([
    's.learner_hash as learner',
    's.content_hash as content',
    sql<string | null>`nullif(s.occurred_at, '')`.as('occurredAt'),
    's.digest',
    's.environment',
    's.encoded_record as record',
  ]);

/** A row with its hashes as hex digits. */
export function asHex<T extends InferResult<typeof keptRecords>[number]>(kept: T) {
  const { learner, content, digest, ...row } = kept;
  return {
    ...row,
    learner: learner?.toString('hex') ?? null,
    // null only in a damaged ledger.
    content: (content as Buffer | null)?.toString('hex') ?? '',
    digest: digest.toString('hex'),
  };
}

/**
 * False where a record differs from the staged one: SQLite detects a byte changed by the disk only where it breaks
 * SQLite's own structures. True where the record was erased.
 */
export function isSound(keys: KeyMaker, { record, environment, ...row }: ReturnType<typeof asHex>): boolean {
  if (record === null) return true;
  const parts = partsIn(record);
  if (parts === null) return false;
  const { operation, learner, content, occurredAt, text } = parts;
  const about = {
    learner: learner === null ? null : keys.learner(learner.type, learner.id),
    content: keys.content(content),
    occurredAt,
  };
  return (
    about.learner === row.learner &&
    about.content === row.content &&
    keys.digest({ operation, environment }, about, text) === row.digest
  );
}

/** Yields the rows whose stored records differ from the staged ones; checks all, one after another. */
export async function* damagedRows(ledger: Ledger) {
  const keys = keyMaker(ledger.salt);
  const records = keptRecords
    .leftJoin('drop_file as d', 'd.drop_id', 's.drop_id')
    .select(['s.drop_id as dropId', 'd.file_name as file', 's.line'])
    .where('s.record', 'is not', null);
  for await (const { dropId, file, line, ...record } of each(ledger, records)) {
    if (!isSound(keys, asHex(record))) yield { dropId, file: file ?? '', line };
  }
}

/** The column `encoded_record` of the view submission_record. */
type EncodedRecord = readonly [
  operation: string,
  learnerType: string,
  learner: string | null,
  contentType: string,
  contentIdType: string | null,
  content: string,
  part: string | null,
  title: string | null,
  occurredAt: string,
  record: string,
];

/** Parses the fields of an encoded record; null: it was erased, or is too damaged to parse. Personal. */
export function fieldsIn(record: string | null): NormalisedRecord['fields'] | null {
  const parts = record === null ? null : partsIn(record);
  return parts === null ? null : fieldsOf(parts.operation, parts);
}

/** Parses an encoded record into its parts; null: it was erased. */
function partsIn(record: string): (RecordParts & { readonly operation: Operation }) | null {
  const [name, learnerType, learner, type, idType, id, part, title, occurredAt, text] = JSON.parse(
    record,
  ) as EncodedRecord;
  const operation = operationNamed(name);
  if (operation.learner !== null && learner === null) return null;
  return {
    operation,
    learner: learner === null ? null : { type: learnerType, id: learner },
    content: { type, idType, id, part, title },
    occurredAt: occurredAt === '' ? null : occurredAt,
    text,
  };
}
