import {
  type CorrectionEffect,
  closedBy,
  effectOf,
  type Fate,
  NOT_YET,
  type OpenMember,
} from '../../domain/delivery/correction.js';
import { countedAs, type Judgement } from '../../domain/delivery/judge.js';
import type { Disposition } from '../../domain/row.js';
import type { Ledger } from '../../ledger/store/query.js';
import type { PreparedRow } from '../../ledger/submissions/staging/read-rows.js';
import { sameKeysAgain } from '../../ledger/submissions/staging/same-key.js';
import { type CheckedRecord, toDeliver } from '../check/check-drop.js';
import { recordJudge } from '../check/judge-records.js';
import type { RowReader } from './row-reader.js';

/**
 * The rows of one drop that a decision reads again, in line order. Of rows with the same key and different content,
 * those that don't count by the source's rule become invalid or skipped. Writes nothing. @param beside as in
 * `sameKeysAgain`.
 */
export async function withSameKeys<R extends { readonly row: PreparedRow }>(
  ledger: Ledger,
  { drop, source, operation }: Pick<RowReader, 'drop' | 'source' | 'operation'>,
  rows: readonly R[],
  beside: 'file' | 'each-other',
): Promise<readonly R[]> {
  const inOrder = [...rows].sort((a, b) => a.row.line - b.row.line);
  const records = inOrder.flatMap(({ row }) => (row.kind === 'record' ? [row] : []));
  const target = { operation, environment: source.environment };
  const setAside = await sameKeysAgain(ledger, drop.dropId, target, source.sameKey, records, beside);
  return inOrder.map((one) => {
    const verdict = setAside.get(one.row.line);
    return verdict === undefined ? one : { ...one, row: { line: one.row.line, ...verdict } };
  });
}

/** The result that a row with new cells would have. Personal. */
export interface Outlook {
  readonly disposition: Disposition;
  /** What would happen to the present row. */
  readonly original: CorrectionEffect;
  /** What would be delivered, with the line of the corrected row. */
  readonly records: readonly CheckedRecord[];
}

/** Returns a function that judges the rows of a source, one after another. Writes nothing. */
export function rowJudge(
  ledger: Ledger,
  { operation, source }: Pick<RowReader, 'operation' | 'source'>,
  isCorrection = true,
) {
  const { environment } = source;
  const judge = recordJudge({ ledger, operation, environment, isCorrection });
  return async (row: PreparedRow, open: readonly OpenMember[] | null): Promise<Outlook> => {
    const effect = (fate: Fate) =>
      open === null ? 'unchanged' : effectOf(closedBy({ dropId: NOT_YET, line: row.line }, fate, open));
    if (row.kind !== 'record') {
      const fate: Fate = { kind: row.kind === 'invalid' || row.kind === 'skipped' ? row.kind : 'none' };
      return { disposition: row.kind, original: effect(fate), records: [] };
    }
    const prepared = [row, ...(row.further ?? [])];
    const judged = await judge(prepared);
    const repeated = judged.flatMap((one) => (one.disposition === 'duplicate' ? [one.of] : []));
    const { disposition } = countedAs(judged as [Judgement, ...Judgement[]]);
    const records = toDeliver(row.line, { operation, environment }, prepared, judged);
    const original = effect({ kind: 'records', made: records.map(() => NOT_YET), repeated });
    return { disposition, original, records };
  };
}
