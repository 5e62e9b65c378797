import type { SourceConfig } from '../../config/schema.js';
import { judgeSameKey, type SameKeyRow, type SetAsideRow } from '../../domain/delivery/same-key.js';
import type { Ledger } from '../../ledger/store/query.js';
import { comparedBy, mayContradict } from '../../ledger/submissions/staging/same-key.js';
import { keyInDrop } from '../../operations/keys.js';
import type { Operation } from '../../operations/operation.js';
import { recordOf } from '../../operations/record-text.js';
import type { DropPlan } from '../../reading/plan-drop.js';
import type { PreparedStep } from '../prepare/prepare-rows.js';
import { recordJudge, type SeenRevisions } from './judge-records.js';

/** A checked sheet, for the check of the next sheets of the same table. */
export interface CheckedRows {
  readonly plan: DropPlan;
  readonly seen: SeenRevisions;
  /** By line, the rows that don't count because of other rows of the file with the same key. */
  readonly setAside: ReadonlyMap<number, SetAsideRow>;
  /** The previous sheet; null: there is none. */
  readonly after: CheckedRows | null;
}

interface Judging {
  /** null: there is none yet. */
  readonly ledger: Ledger | null;
  readonly operation: Operation;
  readonly source: Pick<SourceConfig, 'sameKey' | 'environment'>;
}

/**
 * Finds, by line, the rows of a sheet that share a key with another row of the file, differ from it in content, and
 * don't count by the source's rule. Rows that the ledger already has are compared too, and are left unchanged.
 * @param steps reads a sheet's rows.
 */
export async function sameKeysIn(
  sheet: CheckedRows,
  steps: (plan: CheckedRows['plan']) => AsyncIterable<PreparedStep>,
  { ledger, operation, source }: Judging,
): Promise<CheckedRows['setAside']> {
  const found = new Map<number, SetAsideRow>();
  const { sameKey } = source;
  if (!mayContradict(operation, sameKey)) return found;
  const byKey = new Map<string, (SameKeyRow & { readonly isNew: boolean })[]>();
  for (const { plan, setAside } of inOrder(sheet)) {
    const isOwn = plan === sheet.plan;
    for await (const { rows } of steps(plan)) {
      for (const { row } of rows) {
        if (row.kind !== 'record' || setAside.has(row.line)) continue;
        const key = keyInDrop(row.keys);
        if (!sheet.seen.contradictory.has(key)) continue;
        const [judgement] = await recordJudge({
          ledger,
          operation,
          environment: source.environment,
          isCorrection: false,
        })([row]);
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
      if (verdict !== null && row?.isNew) found.set(row.line, verdict);
    });
  }
  return found;
}

function inOrder(sheet: CheckedRows): readonly CheckedRows[] {
  return sheet.after === null ? [sheet] : [...inOrder(sheet.after), sheet];
}
