import type { SourceConfig } from '../config/schema.js';
import type { Clock } from '../domain/clock.js';
import type { Issue } from '../domain/issue.js';
import type { FieldValue, NormalisedRecord } from '../domain/record.js';
import { type Cell, cellText, isBlankCell, isBlankRow, type Row } from '../domain/row.js';
import type { Field, Operation } from '../operations/operation.js';
import { createFieldReader, type FieldReader, type ValueSource } from './field-reader.js';
import type { FoundHeader } from './find-header.js';
import { createStatusJudge } from './judge-status.js';
import { createNonDataJudge } from './non-data.js';
import type { Profile } from './profile.js';
import { ABSENT, type Reading, shown, UNDECIDED } from './reading.js';

/** What became of one row. `skipped` and `non-data` say in `issues` why. */
export type NormalisedRow =
  /** Only with a profile of the first rows: the row can't be read before the whole column is known (`profileDrop`). */
  | { readonly disposition: 'undecided' }
  | { readonly disposition: 'record'; readonly record: NormalisedRecord }
  | { readonly disposition: 'invalid' | 'skipped' | 'non-data'; readonly issues: readonly Issue[] }
  | { readonly disposition: 'blank' };

/** What a source says about its rows. */
export type RowSource = ValueSource & Pick<SourceConfig, 'columns' | 'defaults' | 'status'>;

/**
 * The function that makes records of a drop's rows. It judges in this order: blank; no data; more cells than the
 * header; skipped by its status (then nothing else is looked at, rows of people who are still learning lack
 * much); and at last all fields, so that an invalid row carries every reason. It never throws for any cells.
 *
 * A field's value is its cell's, else the source's default, else what a header implies, else the field's own
 * fallback. What lies in the future is told by the clock's time at creation.
 */
export function createRowNormaliser(
  operation: Operation,
  source: RowSource,
  header: FoundHeader,
  profile: Profile,
  clock: Clock,
): (row: Row) => NormalisedRow {
  const nowMs = clock.nowMs();
  const nonDataJudge = createNonDataJudge(operation, header, source);
  const judgeStatus = createStatusJudge(operation, source, header);
  const zoneOf = createZoneFinder(operation, source, header);
  const plans = fieldPlans(operation, source, header, profile, nowMs);

  return (row) => {
    if (isBlankRow(row.cells)) return BLANK;
    const nonData = nonDataJudge.judge(row);
    if (nonData) return left(nonData);
    const issues: Issue[] = [];
    const extra = raggedIssue(row, header);
    if (extra) issues.push(extra);
    const status = judgeStatus(row);
    // A cell too many may have moved the others: then the status is not to be trusted with leaving a row out.
    if (status?.isSkipped && !extra) {
      return left(nonDataJudge.judgeRefused(row) ?? { disposition: 'skipped', issue: status.issue });
    }
    if (status && !status.isSkipped) issues.push(status.issue);
    const fields = readFields(row, plans, zoneOf(row), issues);
    if (fields === null) return UNDECIDED_ROW;
    if (issues.length === 0) return { disposition: 'record', record: { fields } };
    const refused = nonDataJudge.judgeRefused(row);
    return refused ? left(refused) : { disposition: 'invalid', issues };
  };
}

function left({ disposition, issue }: LeftRow): NormalisedRow {
  return { disposition, issues: [issue] };
}

interface LeftRow {
  readonly disposition: 'invalid' | 'skipped' | 'non-data';
  readonly issue: Issue;
}

const BLANK: NormalisedRow = { disposition: 'blank' };
const UNDECIDED_ROW: NormalisedRow = { disposition: 'undecided' };

/** Everything about one field that is the same for all rows. */
export interface FieldPlan {
  readonly name: string;
  readonly required: boolean;
  /** The field's column, -1 where it has none. */
  readonly index: number;
  /** What people call it: the header, or the field's name. */
  readonly label: string;
  readonly read: FieldReader;
  /** The value where the column gives none, by the row's fields so far; null: there is no such value. */
  readonly otherwise: ((fields: Readonly<Record<string, FieldValue>>) => Reading<FieldValue>) | null;
}

/** How a drop's fields are read, in the order in which they are. */
export function fieldPlans(
  operation: Operation,
  source: RowSource,
  header: FoundHeader,
  profile: Profile,
  nowMs: number,
): readonly FieldPlan[] {
  return inReadingOrder(operation).map((field) => plan(field, operation, source, header, profile, nowMs));
}

function plan(
  field: Field,
  operation: Operation,
  source: RowSource,
  header: FoundHeader,
  profile: Profile,
  nowMs: number,
): FieldPlan {
  const column = header.match.mapped[field.name] ?? null;
  const facts = {
    column,
    provenOrder: profile.dateOrders[field.name] ?? null,
    provenScale: profile.scales[field.name] ?? null,
    isWholeColumn: profile.isWhole,
    zoneColumn: zoneField(operation, header).label,
    nowMs,
  };
  const read = createFieldReader(field, operation, source, facts);
  // A default is no part of the column, so that nothing of the column decides how it is read.
  const readDefault = createFieldReader(field, operation, source, { ...facts, ...NO_COLUMN });
  const value = source.defaults[field.name] ?? header.match.implied[field.name] ?? field.fallback;
  return {
    name: field.name,
    required: field.required,
    index: column?.index ?? -1,
    label: column?.header ?? field.name,
    read,
    otherwise: value === undefined ? null : readOnce(field, value, readDefault),
  };
}

const NO_COLUMN = { column: null, provenOrder: null, provenScale: null, isWholeColumn: true } as const;

/** The cell that says in which zone a row's times are; the source's default where the row has none. */
export function createZoneFinder(
  operation: Operation,
  source: RowSource,
  header: FoundHeader,
): (row: Row) => Cell | undefined {
  const { name, index } = zoneField(operation, header);
  const otherwise = name === null ? undefined : source.defaults[name];
  if (index === -1) return () => otherwise;
  return (row) => (isBlankCell(row.cells[index]) ? otherwise : row.cells[index]);
}

function zoneField(operation: Operation, header: FoundHeader) {
  const name = operation.fields.find(({ kind }) => kind === 'zone')?.name ?? null;
  const column = name === null ? undefined : header.match.mapped[name];
  return { name, index: column?.index ?? -1, label: column?.header ?? name ?? '' };
}

/** A default is the same for all rows, but for a learner's, which is read by the row's identifier type. */
function readOnce(field: Field, value: string, read: FieldReader): NonNullable<FieldPlan['otherwise']> {
  if (field.kind === 'learner') return (fields) => read(value, fields);
  const reading = read(value, {});
  return () => reading;
}

/** Choices first, because a learner is read by its type; status and zone are not among the fields. */
function inReadingOrder(operation: Operation): readonly Field[] {
  const fields = operation.fields.filter(({ kind }) => kind !== 'status' && kind !== 'zone');
  return [
    ...fields.filter((field) => field.kind === 'choice'),
    ...fields.filter((field) => field.kind !== 'choice'),
  ];
}

/** null: some cell is undecided. */
function readFields(
  row: Row,
  plans: readonly FieldPlan[],
  zoneCell: Cell | undefined,
  issues: Issue[],
): Record<string, FieldValue> | null {
  const fields: Record<string, FieldValue> = {};
  for (const { name, required, index, label, read, otherwise } of plans) {
    const cell = index === -1 ? null : row.cells[index];
    let reading: Reading<FieldValue> = index === -1 ? ABSENT : read(cell, fields, zoneCell);
    if (reading === UNDECIDED) return null;
    if ('value' in reading && reading.value === null && otherwise) reading = otherwise(fields);
    if ('issue' in reading) issues.push(reading.issue);
    else if (reading.value !== null) fields[name] = reading.value;
    else if (required) issues.push(missingValue(name, label, cell));
  }
  return fields;
}

function missingValue(name: string, label: string, cell: Cell | undefined): Issue {
  const isPlaceholder = !isBlankCell(cell);
  return {
    code: 'value-missing',
    column: label,
    value: isPlaceholder ? shown(cellText(cell)) : null,
    message: isPlaceholder
      ? `${label} "${shown(cellText(cell))}" stands for no value, and a record needs one`
      : `${label} is empty, and a record needs it`,
    remedy: `fill it in the file, or give a value for such rows: defaults: { ${name}: … } for the source in registrar.yaml`,
  };
}

function raggedIssue(row: Row, header: FoundHeader): Issue | null {
  const width = header.columns.length;
  if (row.cells.length <= width) return null;
  const extra = row.cells.slice(width).filter((cell) => !isBlankCell(cell));
  if (extra.length === 0) return null;
  return {
    code: 'row-ragged',
    column: null,
    value: shown(extra.map(cellText).join(' ')),
    message: `the row has ${row.cells.length} cells, the header ${width}, and the extra ones hold "${shown(extra.map(cellText).join(' '))}"`,
    remedy: 'a separator inside a value is probably not in quotation marks: correct the row in the file',
  };
}
