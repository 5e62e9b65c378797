import type { Learner } from '../../domain/learner.js';
import { operationNamed } from '../../operations/registry.js';
import { type Ledger, prepared } from '../store/query.js';
import { fieldsIn } from './record/record-text.js';

/** A submission by its key. */
export interface LearnersRow {
  readonly key: Buffer;
  readonly revision: number;
  readonly state: string;
  readonly environment: string;
  readonly operation: string;
  /** null: it was erased. Personal. */
  readonly record: string | null;
}

/**
 * Learners with a kept record that is wanted, each once. Keys begin with the learner, so that from one such record the search goes on at
 * the next learner: a ledger has ten times as many records. Personal.
 */
export function* learnersByKey(
  ledger: Ledger,
  isWanted: (row: LearnersRow) => boolean = () => true,
): Generator<Learner> {
  const next = prepared(ledger, NEXT_BY_KEY);
  let after: Pick<LearnersRow, 'key' | 'revision'> = { key: Buffer.alloc(0), revision: 0 };
  for (;;) {
    const row = next.get(after) as LearnersRow | undefined;
    if (row === undefined) return;
    after = row;
    if (row.record === null || !isWanted(row)) continue;
    const learner = operationNamed(row.operation).learner({ fields: fieldsIn(row.record) ?? {} });
    if (learner !== null) yield learner;
    const behind = row.key.readBigUInt64BE() + 1n;
    if (behind > 0xffff_ffff_ffff_ffffn) return;
    const key = Buffer.alloc(8);
    key.writeBigUInt64BE(behind);
    after = { key, revision: 0 };
  }
}

const NEXT_BY_KEY = `
  select key, revision, state, environment, operation, encoded as record from submission_in_words
  where (key, revision) > (:key, :revision) order by key, revision limit 1`;
