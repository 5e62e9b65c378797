import { KNOWN_CALLS } from '../../config/platform-calls.js';
import type { Config } from '../../config/schema.js';
import type { CorrectedSheet } from '../../documents/corrected-sheet.js';
import { grouped } from '../../domain/grouped.js';
import type { Issue } from '../../domain/issue.js';
import { type Disposition, noDispositions } from '../../domain/row.js';
import type { Ledger } from '../../ledger/store/query.js';
import type { PreparedRow } from '../../ledger/submissions/staging/read-rows.js';
import { type CheckedDrop, type CheckedRecord, withRequests } from '../check/check-drop.js';
import { rowJudge, withSameKeys } from './judge-rows.js';
import type { ReturnedSheet } from './returned-file.js';
import type { ReturnedRow, ReturnedRows } from './returned-rows.js';
import type { RowReader } from './row-reader.js';

/** What a corrected sheet would do. Personal. */
export interface CheckedReturn extends Pick<CheckedDrop, 'dispositions' | 'issues' | 'records'> {
  readonly sheet: string | null;
  /** null for a sheet of right addresses. */
  readonly correction: CorrectedSheet | null;
}

/** Previews a corrected sheet; writes nothing. @param limit the maximum number of issues, of rows and of requests. */
export async function checkReturned(
  ledger: Ledger,
  sheet: ReturnedSheet,
  { environments }: Pick<Config, 'environments'>,
  limit: number,
): Promise<CheckedReturn> {
  const dispositions = noDispositions();
  const issues: (Issue & { readonly line: number })[] = [];
  const records: CheckedRecord[] = [];
  const rows: CorrectedSheet['rows'][number][] = [];
  const effects = { rerun: 0, replaced: 0, resolved: 0, unchanged: 0 };
  const judge = sheet.kind === 'rows' ? await sheetJudge(ledger, sheet) : null;
  for (const read of sheet.rows) {
    const { line, of } = read;
    const judged = (await judge?.(read)) ?? unapplied(read.row);
    dispositions[judged.disposition] += 1;
    const { row } = judged;
    if (row.kind === 'invalid' || row.kind === 'skipped')
      issues.push(...row.issues.map((one) => ({ line, ...one })));
    records.push(...judged.records.map((record) => ({ ...record, line })));
    if (of === null) continue;
    const { disposition, original } = judged;
    effects[original] += 1;
    rows.push({ line, drop: of.dropId, originalLine: of.line, disposition, original });
  }
  const shown = { sheet: sheet.sheet, dispositions, issues: issues.slice(0, limit) };
  if (sheet.kind !== 'rows') return { ...shown, records: [], correction: null };
  const [reader] = sheet.readers.values();
  const calls = environments[sheet.source.environment] ?? KNOWN_CALLS;
  const corrects = [...sheet.readers.values()].map(({ drop }) => ({ drop: drop.dropId, file: drop.file }));
  return {
    ...shown,
    records: reader === undefined ? [] : withRequests(reader.operation, calls, records.slice(0, limit)),
    correction: {
      sheet: sheet.sheet,
      source: sheet.source.name,
      effects,
      requests: records.length + effects.rerun,
      corrects,
      rows: rows.slice(0, limit),
    },
  };
}

/** The judgement of a row that changes nothing. */
function unapplied(row: PreparedRow) {
  const disposition: Disposition = row.kind === 'record' ? 'skipped' : row.kind;
  return { row, disposition, original: 'unchanged' as const, records: [] };
}

/**
 * Returns a function that judges a sheet's rows, in their order, as they would be applied; it returns null for a row
 * that changes nothing.
 */
async function sheetJudge(ledger: Ledger, { rows, readers }: ReturnedRows) {
  const applied = rows.flatMap((one) =>
    one.of === null || one.applies === null ? [] : [{ ...one, of: one.of }],
  );
  const judged = new Map<string, PreparedRow>();
  for (const [dropId, own] of grouped(applied, ({ of }) => of.dropId)) {
    const reader = readers.get(dropId) as RowReader;
    for (const { of, row } of await withSameKeys(ledger, reader, own, 'each-other'))
      judged.set(`${of.dropId}:${of.line}`, row);
  }
  const [reader] = readers.values();
  const judge = reader === undefined ? null : rowJudge(ledger, reader);
  return async ({ of, applies }: ReturnedRow) => {
    const row = of === null ? undefined : judged.get(`${of.dropId}:${of.line}`);
    if (row === undefined || applies === null || judge === null) return null;
    return { row, ...(await judge(row, applies.open)) };
  };
}
