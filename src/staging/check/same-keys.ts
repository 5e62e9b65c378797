import type { SourceConfig } from '../../config/schema.js';
import { judgeSameKey, type SameKeyRow, type SetAsideRow } from '../../domain/delivery/same-key.js';
import type { Ledger } from '../../ledger/store/query.js';
import { keyInDrop } from '../../ledger/submissions/record/keys.js';
import { recordOf } from '../../ledger/submissions/record/record-text.js';
import { comparedBy, mayContradict } from '../../ledger/submissions/staging/same-key.js';
import type { Operation } from '../../operations/operation.js';
import type { DropPlan } from '../../reading/plan-drop.js';
import type { PreparedStep } from '../prepare/prepare-rows.js';
import { recordJudge, type SeenRevisions } from './judge-records.js';

/** The rows of a drop that were checked. */
export interface CheckedRows {
  readonly plan: DropPlan;
  readonly seen: SeenRevisions;
}

interface Judging {
  /** null: there is none yet. */
  readonly ledger: Ledger | null;
  readonly operation: Operation;
  readonly source: Pick<SourceConfig, 'sameKey' | 'environment'>;
}

/**
 * Finds, by line, the rows of a file that have the key of another row of the file, another content, and don't count by the
 * source's rule. Rows that the ledger has already are compared, and stay as they are: nothing of them is sent.
 * @param steps reads the file's rows.
 */
export async function sameKeysIn(
  { plan, seen }: CheckedRows,
  steps: AsyncIterable<PreparedStep>,
  { ledger, operation, source }: Judging,
): Promise<ReadonlyMap<number, SetAsideRow>> {
  const found = new Map<number, SetAsideRow>();
  const { sameKey } = source;
  if (!mayContradict(operation, sameKey)) return found;
  const byKey = new Map<string, (SameKeyRow & { readonly isNew: boolean })[]>();
  for await (const { rows } of steps) {
    for (const { row } of rows) {
      if (row.kind !== 'record') continue;
      const key = keyInDrop(row.keys);
      if (!seen.contradictory.has(key)) continue;
      // Each row by itself: what the file has brought before it must not make it a duplicate.
      const judge = recordJudge({ ledger, operation, environment: source.environment, isCorrection: false });
      const [judgement] = await judge([row]);
      const together = byKey.get(key) ?? [];
      together.push({
        sheet: null,
        line: row.line,
        content: row.keys.digest,
        fields: recordOf(operation, row).fields,
        isNew: judgement?.disposition !== 'duplicate',
      });
      byKey.set(key, together);
    }
  }
  const { mapped } = plan.header.match;
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
