import type { SourceConfig } from '../config/schema.js';
import type { Clock } from '../domain/clock.js';
import { type Issue, issueOf } from '../domain/issue.js';
import { once } from '../domain/process/once.js';
import type { FieldValue, NormalisedRecord } from '../domain/record.js';
import { type Cell, cellText, isBlankCell, isBlankRow, type Row } from '../domain/row.js';
import type { Field, Operation } from '../operations/operation.js';
import {
  claimsOf,
  createFieldReader,
  createNoteFinder,
  type DropFacts,
  type FieldReader,
} from './field-reader.js';
import type { FoundHeader, TableRules } from './mapping/find-header.js';
import { createNonDataJudge } from './non-data.js';
import { createShiftJudge, NO_PROFILE, type Profile, type RowWatch } from './profile/profile.js';
import { watchDates } from './profile/swapped-dates.js';
import { createNoDateJudge, createStatusJudge, noDateRemedy, watchStatus } from './status/judge-status.js';
import { namesOtherZone } from './time/zone/zone-notes.js';
import { ABSENT, type Reading, refuse, refuseFor, shown, UNDECIDED } from './values/reading.js';

/** The result for one row. `skipped` and `non-data` say in `issues` why. */
export type NormalisedRow =
  /**
   * Only with a profile of the first rows: the row can't be read before the whole drop is known (`wholeProfile`). `isSound`: all
   * that can be read of it is as a record needs it.
   */
  | { readonly disposition: 'undecided'; readonly isSound: boolean }
  | {
      readonly disposition: 'record';
      readonly record: NormalisedRecord;
      /** Values of the row that the record lacks; absent: none. */
      readonly omitted?: readonly Issue[];
    }
  | { readonly disposition: 'invalid' | 'skipped' | 'non-data'; readonly issues: readonly Issue[] }
  | { readonly disposition: 'blank' };

/**
 * The same for rows that are judged before the whole column is known. Without a zone no row would be a record, and each is as good
 * a proof; a date in the future is a date, and the present time decides about its row later.
 */
export function createSampleNormaliser(
  { operation, source, header }: TableRules,
  profile: Partial<Profile> = {},
): (row: Row) => NormalisedRow {
  const zoned = { ...source, timeZone: source.timeZone ?? 'UTC' };
  const open = { ...NO_PROFILE, ...profile, isWhole: false };
  return createRowNormaliser(operation, zoned, header, open, { nowMs: () => Date.UTC(9999, 0) }, []);
}

/**
 * The function that makes records from a drop's rows. It judges in this order: blank; no data; more cells than the header, or
 * another number than nearly all rows; skipped by its status, by a column beside it or for want of a date (then the other fields
 * are not read: rows of people who are still learning lack much); and at last all fields, so that an invalid row carries every
 * reason. It never throws for any cells.
 *
 * A field's value is its cell's, else the source's default, else the one that a header implies, else the field's own fallback. A
 * time is in the future if it is later than the clock's time at creation.
 * @param watches the questions that rows after the sample may still raise.
 */
export function createRowNormaliser(
  operation: Operation,
  source: SourceConfig,
  header: FoundHeader,
  profile: Profile,
  clock: Pick<Clock, 'nowMs'>,
  watches = profile.isWhole ? [] : rowWatches({ operation, source, header }),
): (row: Row) => NormalisedRow {
  const facts = { operation, source, header, profile, nowMs: clock.nowMs() };
  const nonDataJudge = createNonDataJudge(facts);
  const noteOf = createNoteFinder(facts);
  const claims = claimsOf(facts, profile.zoneNotes);
  const judgeStatus = createStatusJudge(facts);
  const judgeNoDate = createNoDateJudge(facts);
  const plans = fieldPlans(facts);
  const shiftIn = profile.cells ? createShiftJudge(facts, profile.cells) : () => null;

  return (row) => {
    if (isBlankRow(row.cells)) return BLANK;
    const note = noteOf(row);
    if (note && !profile.isWhole && namesOtherZone(note, claims, source.zoneNames)) return UNDECIDED_ROW;
    const nonData = nonDataJudge.judge(row, note !== null);
    if (nonData) return nonData;
    for (const watch of watches) {
      watch.add(row);
      if (watch.asksForAll()) return UNDECIDED_ROW;
    }
    const issues: Issue[] = [];
    const shift = raggedIssue(row, header) ?? shiftIn(row);
    if (shift) issues.push(shift);
    const status = judgeStatus(row);
    // A surplus or missing cell may have moved others: then the row isn't skipped by its status.
    if (status?.isSkipped && !shift) {
      return nonDataJudge.judgeRefused(row) ?? { disposition: 'skipped', issues: status.issues };
    }
    if (status && !status.isSkipped) issues.push(...status.issues);
    const noDate = shift || status ? null : judgeNoDate(row);
    if (noDate) return nonDataJudge.judgeRefused(row) ?? { disposition: 'skipped', issues: [noDate] };
    const omitted: Issue[] = [];
    const fields = readFields(row, plans, issues, omitted);
    const refused = issues.length === 0 ? null : nonDataJudge.judgeRefused(row);
    if (refused) return refused;
    if (fields === null) return issues.length === 0 ? SOUND_ROW : UNDECIDED_ROW;
    if (issues.length > 0) return { disposition: 'invalid', issues };
    const record = { fields };
    return omitted.length === 0
      ? { disposition: 'record', record }
      : { disposition: 'record', record, omitted };
  };
}

const BLANK: NormalisedRow = { disposition: 'blank' };
const UNDECIDED_ROW: NormalisedRow = { disposition: 'undecided', isSound: false };
const SOUND_ROW: NormalisedRow = { disposition: 'undecided', isSound: true };

/** Everything about one field that is the same for all rows. */
export interface FieldPlan {
  readonly name: string;
  readonly required: boolean;
  /** True for a learner or another identifier, which must be exactly as it was. */
  readonly isIdentity: boolean;
  /** The field's column, -1 where it has none. */
  readonly index: number;
  /** The field's name for people: the header, or the field's own name. */
  readonly label: string;
  readonly read: FieldReader;
  readonly missingRemedy: string;
  /** The value where the column gives none, by the row's fields so far; null: there is no such value. */
  readonly otherwise: ((fields: Readonly<Record<string, FieldValue>>) => Reading<FieldValue>) | null;
}

/** How a drop's fields are read: choices first, because a learner is read by its type; status, zone and time are not among them. */
export function fieldPlans(facts: DropFacts): readonly FieldPlan[] {
  const fields = facts.operation.fields.filter(({ kind }) => !['status', 'zone', 'time'].includes(kind));
  return [
    ...fields.filter((field) => field.kind === 'choice'),
    ...fields.filter((field) => field.kind !== 'choice'),
  ].map((field) => plan(field, facts));
}

function plan(field: Field, facts: DropFacts): FieldPlan {
  const { source, header } = facts;
  const column = header.match.mapped[field.name];
  const implied = header.match.implied[field.name];
  const value = source.defaults[field.name] ?? implied ?? field.fallback;
  return {
    name: field.name,
    required: field.required ?? false,
    isIdentity: field.kind === 'identifier' || field.kind === 'learner',
    index: column?.index ?? -1,
    label: column?.header ?? field.name,
    read: createFieldReader(field, facts),
    missingRemedy:
      noDateRemedy(field, facts) ??
      `fill it in the file, or give a value for such rows: defaults: { ${field.name}: … } for the source in registrar.yaml`,
    otherwise: value === undefined ? null : readOnce(field, value, facts),
  };
}

/** A default is the same for all rows, except a learner's, which is read by the row's identifier type. */
function readOnce(field: Field, value: string, facts: DropFacts): NonNullable<FieldPlan['otherwise']> {
  // A default doesn't come from the column, so neither the column's facts nor the file's decide how it is read.
  const read = once(() => {
    const { [field.name]: _, ...mapped } = facts.header.match.mapped;
    const header = { ...facts.header, match: { ...facts.header.match, mapped }, zoneNotes: [] };
    return createFieldReader(field, { ...facts, header, profile: NO_PROFILE });
  });
  return field.kind === 'learner' ? (fields) => read()(value, fields) : once(() => read()(value, {}));
}

/** null: some cell is undecided. */
function readFields(
  row: Row,
  plans: readonly FieldPlan[],
  issues: Issue[],
  omitted: Issue[],
): Record<string, FieldValue> | null {
  const fields: Record<string, FieldValue> = {};
  let isUndecided = false;
  for (const { name, required, isIdentity, index, label, read, otherwise, missingRemedy } of plans) {
    const cell = index === -1 ? null : row.cells[index];
    if (isIdentity && row.strayQuotes?.includes(index)) {
      issues.push(refuseFor('stray-quote', label, cell).issue);
      continue;
    }
    let reading: Reading<FieldValue> = index === -1 ? ABSENT : read(cell, fields, row);
    if (reading === UNDECIDED) {
      isUndecided = true;
      continue;
    }
    if ('value' in reading && reading.value === null) {
      if (reading.omitted) omitted.push(reading.omitted);
      else if (otherwise) reading = otherwise(fields);
    }
    if ('issue' in reading) issues.push(reading.issue);
    else if (reading.value !== null) fields[name] = reading.value;
    else if (required) issues.push(missingValue(label, cell, missingRemedy));
  }
  return isUndecided ? null : fields;
}

function missingValue(label: string, cell: Cell | undefined, remedy: string): Issue {
  return isBlankCell(cell)
    ? issueOf('value-missing', label, `${label} is empty, and a record needs it`, remedy)
    : refuse('value-missing', label, cell, 'means no value, and a record needs one', remedy).issue;
}

function raggedIssue(row: Row, header: FoundHeader): Issue | null {
  const width = header.columns.length;
  if (row.cells.length <= width) return null;
  const extra = row.cells.slice(width).filter((cell) => !isBlankCell(cell));
  if (extra.length === 0) return null;
  const text = shown(extra.map(cellText).join(' '));
  const message = `the row has ${row.cells.length} cells, the header ${width}, and the extra ones hold "${text}"`;
  const remedy = 'a separator inside a value is probably not in quotation marks: correct the row in the file';
  return issueOf('row-ragged', null, message, remedy, text);
}

/** The questions about a drop of this header. */
export function rowWatches(rules: TableRules): readonly RowWatch[] {
  return [...watchStatus(rules), ...watchDates(rules)];
}
