import { NOT_YET } from '../../domain/delivery/correction.js';
import {
  type AdmissionRule,
  admit,
  type Judgement,
  type KnownRevision,
} from '../../domain/delivery/judge.js';
import type { OperationKind } from '../../domain/operation-kind.js';
import type { Ledger } from '../../ledger/store/query.js';
import { occurredAt } from '../../ledger/submissions/record/keys.js';
import type { PreparedRecord } from '../../ledger/submissions/record/prepared-record.js';
import { type KnownRecord, knownRecords } from '../../ledger/submissions/revisions.js';

/**
 * Returns a function that judges the records of one row after another as staging would: beside what the ledger knows and
 * the rows before. Writes nothing.
 */
export function recordJudge({ ledger, kind, isRedrop, seen = seenRevisions() }: Judging) {
  // Which records would be held makes no difference here: a held record has the same disposition.
  const rule: AdmissionRule = { kind, isRedrop, sendAmendments: false, restoredAt: null };
  return async (records: readonly PreparedRecord[]): Promise<readonly Judgement[]> => {
    const known = ledger ? await knownRecords(ledger, records) : [];
    return records.map((record, index) => judgeOne(record, known[index] ?? UNKNOWN));
  };

  function judgeOne({ keys: { key, content } }: PreparedRecord, known: KnownRecord): Judgement {
    const revisions = seen.of(key) ?? known.revisions;
    const record = { content, occurredAt: occurredAt(key) };
    const admission = admit(record, revisions, known.formers, rule);
    if (admission.disposition === 'duplicate') return admission;
    seen.add(key, revisions, asSeen(admission.revision, content));
    return admission;
  }
}

const UNKNOWN: KnownRecord = { revisions: [], formers: [] };

/** A revision that the file itself has brought; it has no number yet. */
function asSeen(revision: number, content: string): KnownRevision {
  return { submissionId: NOT_YET, revision, content, state: 'waiting' };
}

interface Judging {
  /** null: there is none yet. */
  readonly ledger: Ledger | null;
  readonly kind: OperationKind;
  /** True where the records are of corrected rows. */
  readonly isRedrop: boolean;
  /** The revisions of earlier rows; undefined where there are none. */
  readonly seen?: SeenRevisions | undefined;
}

export type SeenRevisions = ReturnType<typeof seenRevisions>;

/**
 * The revisions of the file's own keys so far. Nearly every key has one revision, its first: a million of those are kept
 * as two texts each.
 */
export function seenRevisions() {
  const first = new Map<string, string>();
  const several = new Map<string, readonly KnownRevision[]>();
  return {
    of: (key: string): readonly KnownRevision[] | undefined => {
      const content = first.get(key);
      return content === undefined ? several.get(key) : [asSeen(1, content)];
    },
    add: (key: string, before: readonly KnownRevision[], revision: KnownRevision): void => {
      if (before.length === 0) {
        first.set(key, revision.content);
        return;
      }
      first.delete(key);
      several.set(key, [...before, revision]);
    },
  };
}
