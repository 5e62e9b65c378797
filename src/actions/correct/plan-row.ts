import { didYouMean } from '../../config/did-you-mean.js';
import { KNOWN_CALLS } from '../../config/platform-calls.js';
import type { SourceConfig } from '../../config/schema.js';
import type { CorrectedCell } from '../../documents/correction.js';
import { grouped } from '../../domain/grouped.js';
import { errorsOf } from '../../domain/operator-error.js';
import { mapSeries } from '../../domain/process/series.js';
import { textToCorrect } from '../../domain/row.js';
import type { CorrectedRow } from '../../ledger/decisions/corrected-rows.js';
import { publishedDrops } from '../../ledger/drops/published-drops.js';
import type { Ledger } from '../../ledger/store/query.js';
import { nearestHeader } from '../../normalise/header/header-text.js';
import { notReadAgain } from '../../reading/read-again.js';
import { type Profiled, widening } from '../../reading/table.js';
import { createRowExplainer } from '../../report/trace/explain-row.js';
import { withRequests } from '../../staging/check/check-drop.js';
import { isSameCell } from '../../staging/correct/merged-cells.js';
import { correctionJudge, type RowReader, rowReader } from '../../staging/correct/rows-again.js';
import { settingsInQuestion } from '../../staging/key-settings.js';
import { type ActionContext, sourceNamed } from '../context.js';
import { type RowToCorrect, rowToCorrect } from './row-to-correct.js';

/** A value that a person set: `COLUMN=value` with a header or a field, or the value of the column with an index. */
type CellToSet = string | { readonly column: number; readonly value: string };

/**
 * The values that a person set by the index of their column; '' empties the cell. Throws OperatorError for a column that the row
 * lacks, for a header that several columns have, and for a column that is set twice.
 */
function cellsToSet(
  set: readonly CellToSet[],
  header: readonly string[],
  fields: Readonly<Record<string, number>>,
): ReadonlyMap<number, string> {
  const values = new Map<number, string>();
  for (const cell of set) {
    if (typeof cell !== 'string') {
      if (cell.column in header) values.set(cell.column, cell.value);
      continue;
    }
    const [, name = '', value = ''] = /^([^=]+)=(.*)$/s.exec(cell) ?? [];
    if (name.trim() === '')
      throw refusal(cell, `"${cell}" sets no column`, 'Write it as COLUMN=value.', INVALID);
    const index = indexOf(name.trim(), header, fields, cell);
    if (values.has(index))
      throw refusal(cell, `"${header[index]}" is set twice`, 'Set each column once.', INVALID);
    values.set(index, value);
  }
  return values;
}

/** @param fields the index of the column by field. @param text what the person wrote. */
function indexOf(
  name: string,
  header: readonly string[],
  fields: Readonly<Record<string, number>>,
  text: string,
): number {
  const indexes = header.flatMap((title, index) =>
    title.trim().toLowerCase() === name.toLowerCase() ? [index] : [],
  );
  if (indexes.length > 1) {
    const field = Object.entries(fields).find(([, index]) => indexes.includes(index))?.[0];
    const hint =
      field === undefined
        ? "Correct the row in its drop's attention file."
        : `Name the one that is read by its field, ${field}.`;
    throw refusal(text, `${indexes.length} columns are called "${name}"`, hint, INVALID);
  }
  if (indexes[0] !== undefined) return indexes[0];
  // Of its own: a word such as "constructor" is in every object.
  const [, ofField] =
    Object.entries(fields).find(([field]) => field === name || field === name.toLowerCase()) ?? [];
  if (ofField !== undefined) return ofField;
  const meant = didYouMean(name, [...header, ...Object.keys(fields)]) ?? nearestHeader(name, header);
  const shown = header.filter((title) => title.trim() !== '').join(', ');
  const message = `the row has no column "${name}"${meant === null ? '' : `; did you mean "${meant}"?`}`;
  throw refusal(text, message, `Its columns are: ${shown}.`, INVALID);
}

const refusal = errorsOf('correct a row');
const INVALID = { reason: 'invalid' } as const;

/**
 * What other values would make of a row: its `corrected` cells, its disposition with them and the effect on the row as it is
 * (`outcome`), and what would be delivered (`records`). Personal.
 */
export type RowPlan = Awaited<ReturnType<typeof planBy>>;

type PlanContext = Pick<ActionContext, 'ledger' | 'config' | 'clock'>;

export interface RowToPlan {
  /** As `trace` takes it. */
  readonly what: string;
  readonly set: readonly CellToSet[];
}

/**
 * What rows would be with other values, in the order of the rows. Reads whole columns of their drops where their meaning
 * depends on them; writes nothing. Throws OperatorError where a correction can't be made.
 */
export async function planRows(
  context: PlanContext,
  { rows }: { readonly rows: readonly RowToPlan[] },
): Promise<RowPlan[]> {
  const located = await mapSeries(rows, async ({ what, set }) => ({
    row: await rowToCorrect(context.ledger, what),
    set,
  }));
  const plans = new Map<RowToCorrect, RowPlan>();
  for (const [, own] of grouped(located, ({ row }) => row.dropId)) {
    const [{ row: first } = own[0] as (typeof own)[number]] = own;
    const source = sourceNamed(context.config, first.drop.source);
    const inQuestion = await settingsInQuestion(context.ledger, source);
    if (inQuestion !== null) throw inQuestion;
    const planned = await widening(
      (profiled) => readerOf(context.ledger, first, source, profiled),
      (reader) => mapSeries(own, ({ row, set }) => planBy(reader, context, row, set)),
    );
    for (const plan of planned) plans.set(plan.row, plan);
  }
  return located.map(({ row }) => plans.get(row) as RowPlan);
}

/** How the row is read under today's settings, whatever its values are. */
async function readerOf(
  ledger: Ledger,
  { dropId, label }: RowToCorrect,
  source: SourceConfig,
  profiled: Profiled,
): Promise<RowReader> {
  const [drop] = await publishedDrops(ledger, dropId);
  if (drop === undefined) throw new Error(`drop ${dropId} is not published`);
  const reader = await rowReader(ledger, drop, source, profiled);
  if (reader.kind === 'reader') return reader;
  throw notReadAgain(reader, { operation: 'correct a row', subject: label });
}

async function planBy(
  reader: RowReader,
  { ledger, config, clock }: PlanContext,
  row: RowToCorrect,
  set: readonly CellToSet[],
) {
  const { source, operation, reading, drop } = reader;
  const { mapped } = reading.header.match;
  const fields = Object.fromEntries(Object.entries(mapped).map(([field, { index }]) => [field, index]));
  const newValues = cellsToSet(set, drop.header, fields);
  const { dropId, line, open } = row;
  const length = Math.max(row.cells.length, drop.header.length);
  const cells = Array.from({ length }, (_, index) => {
    const [was = null, now] = [row.cells[index], newValues.get(index)];
    return now === undefined || isSameCell(was, now) ? was : now;
  });
  const prepared = reader.prepare({ line, cells });
  const target = { operation, environment: source.environment };
  const { records, disposition, original } = await correctionJudge(ledger, target)(prepared, open);
  // The same record is sent again by a rerun alone.
  const isSame = original === 'rerun' && records.length === 0;
  const calls = config.environments[source.environment] ?? KNOWN_CALLS;
  const isNone = prepared.kind === 'invalid' || prepared.kind === 'skipped';
  return {
    source,
    row,
    cells: cellsOf(reader, row, newValues, cells, clock.nowMs()),
    corrected: { dropId, line, cells } satisfies CorrectedRow,
    outcome: { disposition, original: isSame ? 'unchanged' : original },
    issues: isNone ? prepared.issues : [],
    records: withRequests(target, calls, records),
  };
}

function cellsOf(
  { source, operation, reading: { header, profile }, drop }: RowReader,
  { line, cells: was }: RowToCorrect,
  newValues: ReadonlyMap<number, string>,
  cells: CorrectedRow['cells'],
  nowMs: number,
): readonly CorrectedCell[] {
  const explained = createRowExplainer(operation, source, header, profile, nowMs)({ line, cells });
  const fieldAt = new Map(Object.entries(header.match.mapped).map(([field, { index }]) => [index, field]));
  return drop.header.map((column, index) => {
    const field = fieldAt.get(index) ?? null;
    const explanation = explained.find((one) => one.field === field);
    return {
      column,
      field,
      was: textToCorrect(was[index]),
      given: newValues.get(index) ?? null,
      value: explanation?.after ?? null,
      rule: explanation?.rule ?? null,
    };
  });
}
