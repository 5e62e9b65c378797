import { type InferResult, sql } from 'kysely';
import { each, first, type Ledger, query } from '../../store/query.js';
import { type KeyMaker, keyMaker, type RecordKeys } from './keys.js';
import { partsIn } from './record-text.js';

/** The hashes of a submission with its record; undefined where there is none. Personal. */
export async function keptRecord(ledger: Ledger, submissionId: number): Promise<KeptRecord | undefined> {
  const found = await first(ledger, keptRecords.where('s.submission_id', '=', submissionId));
  return found && asKept(found);
}

/** False where the kept record differs from the one that was staged; true where there is no such submission. */
export async function isSubmissionSound(ledger: Ledger, submissionId: number): Promise<boolean> {
  const found = await keptRecord(ledger, submissionId);
  return found === undefined || isSound(ledgerKeys(ledger), found);
}

/** The query for kept records. */
const keptRecords = query
  .selectFrom('submission_record as s')
  .select([
    's.learner_hash as learner',
    's.content_hash as content',
    sql<string | null>`nullif(s.occurred_at, '')`.as('occurredAt'),
    's.digest',
    's.environment',
    's.told',
  ]);

/** The hashes of a row as hex digits. */
function asKept({ learner, content, digest, ...row }: InferResult<typeof keptRecords>[number]): KeptRecord {
  return {
    ...row,
    learner: learner?.toString('hex') ?? null,
    // Damage can lose the content.
    content: (content as Buffer | null)?.toString('hex') ?? '',
    digest: digest.toString('hex'),
  };
}

/** Computes hashes under the ledger's salt. */
export function ledgerKeys({ salt }: Pick<Ledger, 'salt'>): KeyMaker {
  const known = makers.get(salt) ?? keyMaker(salt);
  makers.set(salt, known);
  return known;
}

const makers = new Map<string, KeyMaker>();

/** A submission's hashes as they are kept, with the record that they are hashes of. Personal. */
export interface KeptRecord extends RecordKeys {
  readonly environment: string;
  /** As `fieldsIn` reads it; null once erased. */
  readonly told: string | null;
}

/**
 * False where a record isn't the one that was staged: SQLite notices a byte changed by the disk only where its own structure
 * breaks. True where it was erased.
 * @param keys of the ledger that keeps it.
 */
export function isSound(keys: KeyMaker, { told, environment, ...kept }: KeptRecord): boolean {
  if (told === null) return true;
  const parts = partsIn(told);
  if (parts === null) return false;
  const { operation, learner, content, occurredAt, text } = parts;
  const about = {
    learner: learner === null ? null : keys.learner(learner.type, learner.id),
    content: keys.content(content),
    occurredAt,
  };
  return (
    about.learner === kept.learner &&
    about.content === kept.content &&
    keys.digest({ operation, environment }, about, text) === kept.digest
  );
}

/** The rows whose records differ from the ones that were staged; checks all, one after the other. */
export async function* damagedRows(ledger: Ledger) {
  const keys = ledgerKeys(ledger);
  const records = keptRecords
    .leftJoin('drop_file as d', 'd.drop_id', 's.drop_id')
    .select(['s.drop_id as dropId', 'd.file_name as file', 's.line'])
    .where('s.record', 'is not', null);
  for await (const { dropId, file, line, ...record } of each(ledger, records)) {
    if (!isSound(keys, asKept(record))) yield { dropId, file: file ?? '', line };
  }
}
