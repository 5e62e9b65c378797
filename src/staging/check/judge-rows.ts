import type { SourceConfig } from '../../config/schema.js';
import { NOT_YET } from '../../domain/delivery/correction.js';
import { type AdmissionRule, admit, countedAs, type KnownRevision } from '../../domain/delivery/judge.js';
import { type ExcludedRow, judgeSameKey, type SameKeyRow } from '../../domain/delivery/same-key.js';
import type { Ledger } from '../../ledger/store/query.js';
import type { PreparedRow } from '../../ledger/submissions/staging/read-rows.js';
import { type KnownRecord, knownRecords } from '../../ledger/submissions/staging/revisions.js';
import { comparedBy, mayContradict } from '../../ledger/submissions/staging/same-key.js';
import { keyInDrop, type PreparedRecord, type RecordTarget } from '../../operations/keys.js';
import { recordOf } from '../../operations/record-text.js';
import type { DropPlan } from '../../reading/plan-drop.js';
import type { PreparedStep } from '../prepare/prepare-rows.js';

/**
 * Returns a function that judges one row after another as staging would, against the ledger and the earlier rows: what would become of
 * the row, the records of it that would be delivered, and the submissions that its others repeat. Writes nothing.
 * @param ledger null: there is none yet. @param isCorrection true where the rows are corrected ones. @param seen the earlier rows.
 */
export function rowJudge(
  ledger: Ledger | null,
  target: RecordTarget,
  isCorrection = false,
  seen: SeenKeys = seenKeys(),
) {
  const { kind } = target.operation;
  // Whether a record would be held doesn't matter here: a held record has the same disposition.
  const rule: AdmissionRule = { kind, isCorrection, sendAmendments: false, restoredAt: null };
  return async (row: PreparedRow) => {
    if (row.kind !== 'record') return { disposition: row.kind, records: [], repeated: [] };
    const records = [row, ...(row.further ?? [])];
    const facts = ledger ? await knownRecords(ledger, target, records) : [];
    const judged = records.map((record, index) => judge(record, facts[index] ?? UNKNOWN));
    return {
      disposition: countedAs(judged).disposition,
      records: records.filter((_, index) => judged[index]?.disposition !== 'duplicate'),
      repeated: judged.flatMap((one) => (one.disposition === 'duplicate' ? one.of : [])),
    };
  };

  function judge({ keys }: PreparedRecord, known: KnownRecord) {
    const key = keyInDrop(keys);
    const { digest: content, occurredAt } = keys;
    const first = seen.contents.get(key) ?? content;
    seen.contents.set(key, first);
    if (first !== content) seen.contradictory.add(key);
    const revisions = seen.revisions.get(key) ?? known.revisions;
    const admission = admit({ content, occurredAt }, revisions, known.formers, rule);
    if (admission.disposition === 'duplicate') return admission;
    // A revision from the file itself has no number yet.
    const { revision } = admission;
    const added: KnownRevision = { submissionId: NOT_YET, revision, content, state: 'waiting' };
    seen.revisions.set(key, [...revisions, added]);
    return admission;
  }
}

const UNKNOWN: KnownRecord = { revisions: [], formers: [] };

/** What the rows of a table have shown of each key so far. */
interface SeenKeys {
  /** Its revisions, where the table has any that the ledger hasn't. */
  readonly revisions: Map<string, readonly KnownRevision[]>;
  /** The content of its first row. */
  readonly contents: Map<string, string>;
  /** The keys of rows whose content differs from that. */
  readonly contradictory: Set<string>;
}

/** No rows yet. @param before the previous sheets of the table, where there are any. */
export function seenKeys(before?: SeenKeys): SeenKeys {
  return {
    revisions: new Map(before?.revisions),
    contents: new Map(before?.contents),
    contradictory: new Set(),
  };
}

/** A checked sheet, for the check of the next sheets of the same table. */
export interface CheckedRows {
  readonly plan: DropPlan;
  readonly seen: SeenKeys;
  /** By line, the rows that don't count because of other rows of the file with the same key. */
  readonly excluded: ReadonlyMap<number, ExcludedRow>;
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
  steps: (plan: DropPlan) => AsyncIterable<PreparedStep>,
  ledger: Ledger | null,
  target: RecordTarget,
  sameKey: SourceConfig['sameKey'],
): Promise<CheckedRows['excluded']> {
  const excluded = new Map<number, ExcludedRow>();
  const { operation } = target;
  if (!mayContradict(operation, sameKey)) return excluded;
  const byKey = new Map<string, (SameKeyRow & { readonly isNew: boolean })[]>();
  for (const read of inOrder(sheet)) {
    const isOwn = read === sheet;
    for await (const { rows } of steps(read.plan)) {
      for (const { row } of rows) {
        if (row.kind !== 'record' || read.excluded.has(row.line)) continue;
        const key = keyInDrop(row.keys);
        if (!sheet.seen.contradictory.has(key)) continue;
        const { disposition } = await rowJudge(ledger, target)(row);
        const together = byKey.get(key) ?? [];
        together.push({
          sheet: isOwn ? null : read.plan.sheet,
          line: row.line,
          content: row.keys.digest,
          fields: recordOf(operation, row).fields,
          isNew: isOwn && disposition !== 'duplicate',
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
