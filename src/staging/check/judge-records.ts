import { NOT_YET } from '../../domain/delivery/correction.js';
import {
  type AdmissionRule,
  admit,
  type Judgement,
  type KnownRevision,
} from '../../domain/delivery/judge.js';
import type { Ledger } from '../../ledger/store/query.js';
import { type KnownRecord, knownRecords } from '../../ledger/submissions/staging/revisions.js';
import { keyInDrop, type PreparedRecord } from '../../operations/keys.js';
import type { Operation } from '../../operations/operation.js';

/**
 * Returns a function that judges the records of one row after another as staging would, against the ledger and the
 * earlier rows. Writes nothing.
 */
export function recordJudge({
  ledger,
  operation,
  environment,
  isCorrection,
  seen = seenRevisions(),
}: Judging) {
  const { kind } = operation;
  const target = { operation, environment };
  // Whether a record would be held doesn't matter here: a held record has the same disposition.
  const rule: AdmissionRule = { kind, isCorrection, sendAmendments: false, restoredAt: null };
  return async (records: readonly PreparedRecord[]): Promise<readonly Judgement[]> => {
    const known = ledger ? await knownRecords(ledger, target, records) : [];
    return records.map((record, index) => judgeOne(record, known[index] ?? UNKNOWN));
  };

  function judgeOne({ keys }: PreparedRecord, known: KnownRecord): Judgement {
    const key = keyInDrop(keys);
    const { digest: content, occurredAt } = keys;
    seen.note(key, content);
    const revisions = seen.of(key) ?? known.revisions;
    const record = { content, occurredAt };
    const admission = admit(record, revisions, known.formers, rule);
    if (admission.disposition === 'duplicate') return admission;
    seen.add(key, revisions, asSeen(admission.revision, content));
    return admission;
  }
}

const UNKNOWN: KnownRecord = { revisions: [], formers: [] };

/** A revision from the file itself; it has no number yet. */
function asSeen(revision: number, content: string): KnownRevision {
  return { submissionId: NOT_YET, revision, content, state: 'waiting' };
}

interface Judging {
  /** null: there is none yet. */
  readonly ledger: Ledger | null;
  readonly operation: Operation;
  readonly environment: string;
  /** True where the records are of corrected rows. */
  readonly isCorrection: boolean;
  /** The revisions of earlier rows; undefined where there are none. */
  readonly seen?: SeenRevisions | undefined;
}

/** The revisions in the rows of a file, or of a sheet, that were judged so far. */
export interface SeenRevisions {
  /** The revisions of a key; undefined: the file has none, and the ledger's apply. */
  of(key: string): readonly KnownRevision[] | undefined;
  add(key: string, before: readonly KnownRevision[], revision: KnownRevision): void;
  /** The content of the first row with a key, whether the ledger knows it or not; undefined: there is no such row. */
  contentOf(key: string): string | undefined;
  /** Notes a row that counts. */
  note(key: string, content: string): void;
  /** The keys of rows whose content differs from an earlier row's. */
  readonly contradictory: ReadonlySet<string>;
}

/**
 * Returns an empty set of revisions. Nearly every key has a single revision, its first, which is kept as two texts: a
 * file may have a million.
 * @param before the revisions of the previous sheets; null: there are none.
 */
export function seenRevisions(before: SeenRevisions | null = null): SeenRevisions {
  const first = new Map<string, string>();
  const several = new Map<string, readonly KnownRevision[]>();
  const contents = new Map<string, string>();
  const contradictory = new Set<string>();
  const contentOf = (key: string) => contents.get(key) ?? before?.contentOf(key);
  return {
    of: (key) => {
      const content = first.get(key);
      return content === undefined ? (several.get(key) ?? before?.of(key)) : [asSeen(1, content)];
    },
    add: (key, before, revision) => {
      if (before.length === 0) {
        first.set(key, revision.content);
        return;
      }
      first.delete(key);
      several.set(key, [...before, revision]);
    },
    contentOf,
    note: (key, content) => {
      const noted = contentOf(key);
      if (noted === undefined) contents.set(key, content);
      else if (noted !== content) contradictory.add(key);
    },
    contradictory,
  };
}
