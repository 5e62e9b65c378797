import { type InferResult, sql } from 'kysely';
import { first, type Ledger, query } from '../../store/query.js';
import { type KeyMaker, keyMaker } from './keys.js';
import { isSound, type KeptRecord } from './soundness.js';

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
export const keptRecords = query
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
export function asKept({
  learner,
  content,
  digest,
  ...row
}: InferResult<typeof keptRecords>[number]): KeptRecord {
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
