import type { SourceConfig } from '../../config/schema.js';
import { NOT_YET } from '../../domain/delivery/correction.js';
import {
  type AdmissionRule,
  admit,
  type Judgement,
  type KnownRevision,
} from '../../domain/delivery/judge.js';
import { type ExcludedRow, judgeSameKey, type SameKeyRow } from '../../domain/delivery/same-key.js';
import type { Ledger } from '../../ledger/store/query.js';
import { type KnownRecord, knownRecords } from '../../ledger/submissions/staging/revisions.js';
import { comparedBy, mayContradict } from '../../ledger/submissions/staging/same-key.js';
import { keyInDrop, type PreparedRecord } from '../../operations/keys.js';
import type { Operation } from '../../operations/operation.js';
import { recordOf } from '../../operations/record-text.js';
import type { DropPlan } from '../../reading/plan-drop.js';
import type { PreparedStep } from '../prepare/prepare-rows.js';

/**
 * Returns a function that judges the records of one row after another as staging would, against the ledger and the
 * earlier rows. Writes nothing.
 */
export function recordJudge({
  ledger,
  operation,
  environment,
  isCorrection,
  seen: earlier = seenRevisions(),
}: Judging) {
  const { kind } = operation;
  const target = { operation, environment };
  // Whether a record would be held doesn't matter here: a held record has the same disposition.
  const rule: AdmissionRule = { kind, isCorrection, sendAmendments: false, restoredAt: null };
  return async (records: readonly PreparedRecord[]): Promise<readonly Judgement[]> => {
    const facts = ledger ? await knownRecords(ledger, target, records) : [];
    return records.map((record, index) => judgeOne(record, facts[index] ?? UNKNOWN));
  };

  function judgeOne({ keys }: PreparedRecord, facts: KnownRecord): Judgement {
    const key = keyInDrop(keys);
    const { digest: content, occurredAt } = keys;
    earlier.note(key, content);
    const revisions = earlier.of(key) ?? facts.revisions;
    const record = { content, occurredAt };
    const admission = admit(record, revisions, facts.formers, rule);
    if (admission.disposition === 'duplicate') return admission;
    // A revision from the file itself has no number yet.
    const { revision } = admission;
    earlier.add(key, revisions, { submissionId: NOT_YET, revision, content, state: 'waiting' });
    return admission;
  }
}

const UNKNOWN: KnownRecord = { revisions: [], formers: [] };

interface Judging {
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
  add(key: string, earlier: readonly KnownRevision[], revision: KnownRevision): unknown;
  /** The content of the first row with a key, whether the ledger knows it or not; undefined: there is no such row. */
  contentOf(key: string): string | undefined;
  note(key: string, content: string): void;
  /** The keys of rows whose content differs from an earlier row's. */
  readonly contradictory: ReadonlySet<string>;
}

/** Returns an empty set of revisions. @param before the revisions of the previous sheets; null: there are none. */
export function seenRevisions(before: SeenRevisions | null = null): SeenRevisions {
  const revisions = new Map<string, readonly KnownRevision[]>();
  const contents = new Map<string, string>();
  const contradictory = new Set<string>();
  const contentOf = (key: string) => contents.get(key) ?? before?.contentOf(key);
  return {
    of: (key) => revisions.get(key) ?? before?.of(key),
    add: (key, earlier, revision) => revisions.set(key, [...earlier, revision]),
    contentOf,
    note: (key, content) => {
      const noted = contentOf(key);
      if (noted === undefined) contents.set(key, content);
      else if (noted !== content) contradictory.add(key);
    },
    contradictory,
  };
}

/** A checked sheet, for the check of the next sheets of the same table. */
export interface CheckedRows {
  readonly plan: DropPlan;
  readonly seen: SeenRevisions;
  /** By line, the rows that don't count because of other rows of the file with the same key. */
  readonly refusedFiles: ReadonlyMap<number, ExcludedRow>;
  /** The previous sheet; null: there is none. */
  readonly after: CheckedRows | null;
}

/**
 * Finds, by line, the rows of a sheet that share a key with another row of the file, differ from it in content, and
 * don't count by the source's rule. Rows that the ledger already has are compared too, and are left unchanged.
 * @param steps reads a sheet's rows.
 */
export async function sameKeysIn(
  sheet: CheckedRows,
  steps: (plan: CheckedRows['plan']) => AsyncIterable<PreparedStep>,
  {
    ledger,
    operation,
    source: { sameKey, environment },
  }: Pick<Judging, 'ledger' | 'operation'> & {
    readonly source: Pick<SourceConfig, 'sameKey' | 'environment'>;
  },
): Promise<CheckedRows['refusedFiles']> {
  const excluded = new Map<number, ExcludedRow>();
  if (!mayContradict(operation, sameKey)) return excluded;
  const byKey = new Map<string, (SameKeyRow & { readonly isNew: boolean })[]>();
  for (const { plan, refusedFiles } of inOrder(sheet)) {
    const isOwn = plan === sheet.plan;
    for await (const { rows } of steps(plan)) {
      for (const { row } of rows) {
        if (row.kind !== 'record' || refusedFiles.has(row.line)) continue;
        const key = keyInDrop(row.keys);
        if (!sheet.seen.contradictory.has(key)) continue;
        const judge = recordJudge({ ledger, operation, environment, isCorrection: false });
        const [judgement] = await judge([row]);
        const together = byKey.get(key) ?? [];
        together.push({
          sheet: isOwn ? null : plan.sheet,
          line: row.line,
          content: row.keys.digest,
          fields: recordOf(operation, row).fields,
          isNew: isOwn && judgement?.disposition !== 'duplicate',
        });
        byKey.set(key, together);
      }
    }
  }
  const { mapped } = sheet.plan.header.match;
  const headers = Object.entries(mapped).map(([field, { header }]) => [field, header] as const);
  const compared = comparedBy(operation, Object.fromEntries(headers));
  for (const rows of byKey.values()) {
    judgeSameKey(rows, sameKey, compared).forEach((verdict, index) => {
      const row = rows[index];
      if (verdict !== null && row?.isNew) excluded.set(row.line, verdict);
    });
  }
  return excluded;
}

function inOrder(sheet: CheckedRows): readonly CheckedRows[] {
  return sheet.after === null ? [sheet] : [...inOrder(sheet.after), sheet];
}
