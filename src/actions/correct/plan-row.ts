import { didYouMean } from '../../config/did-you-mean.js';
import { KNOWN_CALLS } from '../../config/platform-calls.js';
import type { SourceConfig } from '../../config/schema.js';
import type { CorrectedCell } from '../../documents/correction.js';
import { grouped } from '../../domain/grouped.js';
import { errorsOf } from '../../domain/operator-error.js';
import { mapSeries } from '../../domain/process/series.js';
import { textToCorrect } from '../../domain/row.js';
import type { RowRef } from '../../domain/row-ref.js';
import type { CorrectedRow } from '../../ledger/decisions/corrected-rows.js';
import { publishedDrops, type TracedDrop } from '../../ledger/drops/published-drops.js';
import type { Ledger } from '../../ledger/store/query.js';
import { openRow } from '../../ledger/submissions/reread.js';
import { type RowWithResult, readTrace, type Traces } from '../../ledger/trace/read-trace.js';
import { nearestHeader } from '../../normalise/header/header-text.js';
import { notReadAgain } from '../../reading/read-again.js';
import { type ProfileExtent, widening } from '../../reading/table.js';
import { createRowExplainer } from '../../report/trace/explain-row.js';
import { remarksOn } from '../../report/trace/trace.js';
import { withoutReason } from '../../report/words/file-words.js';
import { withRequests } from '../../staging/check/check-drop.js';
import { isSameCell } from '../../staging/correct/merged-cells.js';
import { correctionJudge, type RowReader, rowReader } from '../../staging/correct/rows-again.js';
import { settingsInQuestion } from '../../staging/key-settings.js';
import { stagingTarget } from '../../staging/stage-context.js';
import { type ActionContext, sourceNamed } from '../context.js';

/** A value that a person set: `COLUMN=value` with a header or a field, or the value of the column with an index. */
type CellToSet = string | { readonly column: number; readonly value: string };

/**
 * The values that a person set by the index of their column; '' empties the cell. Throws OperatorError for a column that the row
 * lacks, for a header that several columns have, and for a column that is set twice. @param fields the index of the column by field.
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
    const index = indexOf(name.trim(), cell);
    if (values.has(index))
      throw refusal(cell, `"${header[index]}" is set twice`, 'Set each column once.', INVALID);
    values.set(index, value);
  }
  return values;

  /** @param text what the person wrote. */
  function indexOf(name: string, text: string): number {
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
    const suggestion = didYouMean(name, [...header, ...Object.keys(fields)]) ?? nearestHeader(name, header);
    const columns = header.filter((title) => title.trim() !== '').join(', ');
    const message = `the row has no column "${name}"${suggestion === null ? '' : `; did you mean "${suggestion}"?`}`;
    throw refusal(text, message, `Its columns are: ${columns}.`, INVALID);
  }
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
  profiled: ProfileExtent,
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
  const { source, reading, drop } = reader;
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
  const target = stagingTarget(source);
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

/**
 * A row that can be corrected, with its present cells, the decision that gave it these (`correctedBy`; null: they were read), and
 * what of it a correction replaces (`open`). Personal.
 */
type RowToCorrect = Awaited<ReturnType<typeof rowToCorrect>>;

/** The row that a text names, in the words of `trace`. Throws OperatorError where it names none or several, or nothing is open. */
async function rowToCorrect(ledger: Ledger, what: string) {
  const traces = await readTrace(ledger, { what, learners: null, searchAll: false });
  const row = rowNamed(what, traces);
  const { dropId, line, cells } = row;
  const drop = traces.drops.find((one) => one.dropId === dropId) as TracedDrop;
  const label = `${drop.file}:${line}`;
  const correctedBy = row.correctedBy?.decisionId ?? null;
  const current = await openRow(ledger, { dropId, line, version: correctedBy ?? 0 });
  const open = current?.open ?? [];
  const lives = traces.lives.filter((life) => life.drop === dropId && life.line === line);
  if (open.length === 0 || lives.some(({ state }) => state === 'sending'))
    throw refusal(what, ...whyClosed(label, row, lives));
  if (cells === null) {
    const message = `the cells of ${label} were erased, so there is nothing to correct`;
    throw refusal(what, message, 'Deliver the row in a separate file if it is still to be delivered.');
  }
  return { dropId, line, label, drop, cells, correctedBy, open };
}

function rowNamed(what: string, { kind, rows, lives, named }: Traces): RowWithResult {
  const own = lives.find(({ submission }) => what === `#${submission}`);
  const isNamed = ({ dropId, line }: RowRef) =>
    own === undefined
      ? named.some((mention) => mention.drop.dropId === dropId && mention.line === line)
      : own.drop === dropId && own.line === line;
  const [row, ...others] = rows.filter(isNamed);
  if (row !== undefined && others.length === 0) return row;
  if (row !== undefined) {
    const rowRefs = [row, ...others].map(({ dropId, line }) => `${dropId}:${line}`).join(', ');
    throw refusal(what, `${what} is in ${others.length + 1} drops`, `Name one by its number: ${rowRefs}.`);
  }
  const reason = 'not-found';
  if (what.startsWith('#')) {
    const hint = 'registrar trace FILE:LINE shows the submissions of a row.';
    throw refusal(what, `there is no submission ${what}`, hint, { reason });
  }
  if (kind === null && named.length === 0) {
    const hint = `Name one as file.csv:217, by a drop's number as 12:217, or by a submission as "#12"; registrar trace LEARNER lists the rows of a learner.`;
    throw refusal(what, `"${what}" names no row`, hint, { reason });
  }
  const remarks = remarksOn(named.map((one) => ({ ...one, closure: withoutReason(one.closure) })));
  const explanation = remarks.length > 0 ? remarks.join(' ').replace(/\.$/, '') : 'nothing was read there';
  throw refusal(what, `${what} isn't a row: ${explanation}`, 'Name a line with a record.', { reason });
}

function whyClosed(
  label: string,
  { disposition, submission, resolution }: RowWithResult,
  lives: Traces['lives'],
): readonly [message: string, hint: string] {
  const inState = (state: Traces['lives'][number]['state']) => lives.find((life) => life.state === state);
  const [sending, accepted] = [inState('sending'), inState('accepted')];
  if (sending !== undefined)
    return [`${label} is being delivered as #${sending.submission}`, 'Correct it once it has an answer.'];
  if (accepted !== undefined) {
    const hint = 'Deliver the row with its right values in a separate file: it is imported as an amendment.';
    return [`${label} was accepted by the platform as #${accepted.submission}`, hint];
  }
  const repeated = disposition === 'duplicate' ? submission : null;
  const other = repeated ?? inState('replaced')?.replacedBy ?? resolution?.submission ?? null;
  if (other !== null) return [`#${other} replaces ${label}`, `Correct #${other} instead.`];
  const state = lives[0]?.state ?? disposition;
  return [`${label} is ${state}, so it has nothing to deliver`, 'Deliver a new row in a separate file.'];
}
