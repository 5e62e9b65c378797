import type { NormalisedRecord } from '../domain/record.js';
import { formerRows } from '../ledger/former-rows.js';
import type { Ledger } from '../ledger/query.js';
import { type Judgement, judge, type KnownRevision, revisionsOf } from '../ledger/revisions.js';
import type { PreparedRecord } from '../ledger/staging.js';
import type { Operation } from '../operations/operation.js';

/**
 * The function that says what each record would be, one after the other, beside what the ledger knows and what came before
 * it: as staging judges. Writes nothing.
 */
export function recordJudge({ ledger, kind, isRedrop, seen = seenRevisions() }: Judging) {
  return (prepared: PreparedRecord): Judgement => {
    const { key, content } = prepared.keys;
    const revisions = seen.of(key) ?? (ledger ? revisionsOf(ledger, prepared.keys) : []);
    const repeats = ledger ? formerRows(ledger, prepared, kind).repeats : null;
    const judgement: Judgement =
      repeats === null
        ? judge(content, revisions, kind, isRedrop)
        : { disposition: 'duplicate', of: repeats };
    if (judgement.disposition === 'duplicate') return judgement;
    seen.add(key, revisions, { submissionId: 0, revision: judgement.revision, content });
    return judgement;
  };
}

interface Judging {
  /** null: there is none yet. */
  readonly ledger: Ledger | null;
  readonly kind: Operation['kind'];
  /** True where the records are of corrected rows. */
  readonly isRedrop: boolean;
  /** What came before; undefined: nothing. */
  readonly seen?: SeenRevisions | undefined;
}

/** The record as its operation takes it. */
export function recordOf({ record }: PreparedRecord): NormalisedRecord {
  return { fields: JSON.parse(record) as NormalisedRecord['fields'] };
}

type CheckedRevision = Pick<KnownRevision, 'submissionId' | 'revision' | 'content'>;

export type SeenRevisions = ReturnType<typeof seenRevisions>;

/**
 * The revisions of the file's own keys so far. Nearly every key has one revision, its first: a million of those are kept
 * as two texts each.
 */
export function seenRevisions() {
  const first = new Map<string, string>();
  const several = new Map<string, readonly CheckedRevision[]>();
  return {
    of: (key: string): readonly CheckedRevision[] | undefined => {
      const content = first.get(key);
      return content === undefined ? several.get(key) : [{ submissionId: 0, revision: 1, content }];
    },
    add: (key: string, before: readonly CheckedRevision[], revision: CheckedRevision): void => {
      if (before.length === 0) {
        first.set(key, revision.content);
        return;
      }
      first.delete(key);
      several.set(key, [...before, revision]);
    },
  };
}
