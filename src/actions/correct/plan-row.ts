import { KNOWN_CALLS } from '../../config/platform-calls.js';
import type { SourceConfig } from '../../config/schema.js';
import type { CorrectedCell } from '../../documents/correction.js';
import type { CheckedRedrop } from '../../documents/redrop.js';
import { OperatorError } from '../../domain/operator-error.js';
import { type Cell, type Row, textToCorrect } from '../../domain/row.js';
import type { ReadableDrop } from '../../intake/opened-drop.js';
import { createRowExplainer } from '../../normalise/explain-row.js';
import { operationNamed } from '../../operations/registry.js';
import { planRedrop, type RedropPlan } from '../../reading/plan-redrop.js';
import type { Profiled } from '../../reading/table.js';
import { widening } from '../../reading/widening.js';
import { LONGEST_CELL } from '../../report/workbook/workbook-text.js';
import { type CheckedDrop, checkDrop } from '../../staging/check/check-drop.js';
import { type ActionContext, sourceNamed } from '../context.js';
import { type CellToSet, cellsToSet } from './cells-to-set.js';
import { correctedSheet, type RowToCorrect, rowToCorrect } from './row-to-correct.js';

/** What other values would make of a row. Personal. */
export interface RowPlan {
  readonly kind: 'row';
  readonly source: SourceConfig;
  readonly row: RowToCorrect;
  /** The values that were set, by the index of the column. */
  readonly given: ReadonlyMap<number, string>;
  readonly cells: readonly CorrectedCell[];
  /** The disposition of the corrected row, and the effect on the original. */
  readonly outcome: Pick<CheckedRedrop['rows'][number], 'disposition' | 'original'>;
  readonly issues: CheckedDrop['issues'];
  /** What would be delivered. */
  readonly records: CheckedDrop['records'];
}

/**
 * Works out what a row would be with other values: the same as the corrected attention file of its drop would make of it.
 * Reads the row, and its whole columns where its meaning depends on them; writes nothing.
 * @param what as `trace` takes it. @param set the values that a person set.
 */
export async function planRow(
  context: Pick<ActionContext, 'ledger' | 'config' | 'clock'>,
  what: string,
  set: readonly CellToSet[],
): Promise<RowPlan> {
  const row = await rowToCorrect(context.ledger, what);
  const source = sourceNamed(context.config, row.drop.source);
  return widening(
    (profiled) => redropPlanOf(row, context.ledger, source, profiled),
    (plan) => rowPlanBy(plan, context, row, set),
  );
}

async function rowPlanBy(
  plan: RedropPlan,
  { ledger, config, clock }: Pick<ActionContext, 'ledger' | 'config' | 'clock'>,
  row: RowToCorrect,
  set: readonly CellToSet[],
): Promise<RowPlan> {
  const { source } = plan;
  const { mapped } = plan.header.match;
  const fields = Object.fromEntries(Object.entries(mapped).map(([field, { index }]) => [field, index]));
  const given = cellsToSet(set, { header: row.drop.header, fields });
  const operation = operationNamed(source.operation);
  const calls = config.environments[source.environment] ?? KNOWN_CALLS;
  const sheet = requireFitting(row, given);
  const checked = await checkDrop(asOpened(sheet), plan, {
    ledger,
    clock,
    source,
    operation,
    calls,
    limit: 20,
  });
  const [outcome] = checked.redrop?.rows ?? [];
  if (outcome === undefined) throw new Error('a corrected row stands for none');
  const { issues, records } = checked;
  return {
    kind: 'row',
    source,
    row,
    given,
    cells: cellsOf(row, given, plan, clock.nowMs()),
    outcome,
    issues,
    records,
  };
}

/** How the row is read under today's settings, whatever its values are. */
async function redropPlanOf(
  row: RowToCorrect,
  ledger: ActionContext['ledger'],
  source: SourceConfig,
  profiled: Profiled,
): Promise<RedropPlan> {
  const { columns, cells } = correctedSheet(row, new Map(), '');
  const corrections = { of: 'rows', sheet: null, headerLine: 1, columns, mark: row.mark } as const;
  const plan = await planRedrop(asOpened({ columns, cells }), corrections, ledger, [source], profiled);
  if (plan.kind === 'redrop') return plan;
  throw new OperatorError({
    operation: 'correct a row',
    subject: row.label,
    message: plan.issues.map(({ message }) => message).join('; '),
    hint: plan.issues.map(({ remedy }) => remedy).join(' '),
  });
}

/** The row as a workbook of text cells, like text that somebody types. */
function asOpened({ columns, cells }: { columns: readonly Cell[]; cells: readonly Cell[] }): ReadableDrop {
  const rows: readonly Row[] = [
    { line: 1, cells: columns },
    { line: 2, cells },
  ];
  return {
    format: 'xlsx',
    async *rows() {
      yield rows;
    },
  };
}

/** The corrected sheet. Throws OperatorError where a cell is longer than a workbook allows. */
function requireFitting(row: RowToCorrect, given: ReadonlyMap<number, string>) {
  const sheet = correctedSheet(row, given, '');
  if (![...sheet.columns, ...sheet.cells].some((text) => text.length > LONGEST_CELL)) return sheet;
  throw new OperatorError({
    operation: 'correct a row',
    subject: row.label,
    message: `a cell of ${row.label} has more than the ${LONGEST_CELL} characters that a cell of a workbook holds`,
    hint: "Correct the row in its drop's .attention.csv.",
  });
}

function cellsOf(
  { drop: { header }, line, mark, cells }: RowToCorrect,
  given: ReadonlyMap<number, string>,
  { originals, source }: RedropPlan,
  nowMs: number,
): readonly CorrectedCell[] {
  const original = originals.get(mark);
  if (original === undefined) throw new Error('the original of a correction is planned');
  const reading = original.readingOf(line);
  const operation = operationNamed(source.operation);
  const explain = createRowExplainer(operation, source, reading.header, reading.profile, nowMs);
  const corrected = header.map((_, index) => given.get(index) ?? cells[index] ?? null);
  const explained = explain({ line, cells: [...corrected, ...cells.slice(header.length)] });
  const fieldAt = new Map(
    Object.entries(reading.header.match.mapped).map(([field, { index }]) => [index, field]),
  );
  return header.map((column, index) => {
    const field = fieldAt.get(index) ?? null;
    const found = explained.find((one) => one.field === field);
    return {
      column,
      field,
      was: textToCorrect(cells[index]),
      given: given.get(index) ?? null,
      value: found?.after ?? null,
      rule: found?.rule ?? null,
    };
  });
}
