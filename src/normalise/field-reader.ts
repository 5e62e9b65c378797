import type { SourceConfig } from '../config/schema.js';
import { msFromIso } from '../domain/clock.js';
import { isEmailType } from '../domain/learners/learner.js';
import type { FieldValue } from '../domain/record.js';
import { type Cell, isStruck, isUnsavedFormula } from '../domain/row.js';
import type { Field, Operation } from '../operations/operation.js';
import type { MappedColumn } from './mapping/map-field.js';
import { monthNames } from './time/month-names.js';
import type { ColumnOrder } from './time/order-evidence.js';
import { type DateRules, parseDateText } from './time/parse-date-text.js';
import { patternsReader } from './time/read-pattern.js';
import { readTimeOfDay } from './time/time-of-day.js';
import { readTimestamp } from './time/timestamp.js';
import { readZone } from './time/zone/zone.js';
import type { ZoneClaim } from './time/zone/zone-claims.js';
import { readChoice, readFlag } from './values/choice.js';
import { readEmail } from './values/email.js';
import type { IdShape } from './values/id-shape.js';
import { identifierTypeField } from './values/learner.js';
import { readCode, readSegment } from './values/read-code.js';
import { type Reading, struckText, unsavedFormula } from './values/reading.js';
import { remembering } from './values/remembering.js';
import { readScore } from './values/score.js';
import type { ProvenScale } from './values/score-scale.js';
import type { StatusVocabulary } from './values/status.js';
import { readList, readPassage, readText } from './values/text.js';

/**
 * Reads one field's cell. `fields` holds the row's fields so far: a learner is read by its type. `zoneCell` is the row's cell in
 * the column of zones, if there is one, and `timeCell` its cell in the column of times of day.
 */
export type FieldReader = (
  cell: Cell | undefined,
  fields: Readonly<Record<string, FieldValue>>,
  zoneCell?: Cell,
  timeCell?: Cell,
) => Reading<FieldValue>;

/** What a source says about values. */
export type ValueSource = Pick<
  SourceConfig,
  | 'timeZone'
  | 'dateOrder'
  | 'datePatterns'
  | 'twoDigitYears'
  | 'languages'
  | 'zoneNames'
  | 'earliest'
  | 'futureMs'
  | 'dateOnly'
  | 'overlap'
  | 'scale'
  | 'decimalMark'
  | 'scoreUnreadable'
  | 'listSeparator'
>;

/** The facts about a field's column besides its cells. */
export interface ColumnFacts {
  /** null for a field that no column gives; its default is read by the same rules. */
  readonly column: MappedColumn | null;
  /** The order that the column proves, for a source that declares none. */
  readonly provenOrder: ColumnOrder | null;
  /** The scale that the column proves, for a source that declares none. */
  readonly provenScale: ProvenScale | null;
  /** The column's evidence of damaged identifiers; null: none. */
  readonly shape: IdShape | null;
  /** False where the proof comes from the first rows alone. */
  readonly isWholeColumn: boolean;
  /** What people call the column of zones. */
  readonly zoneColumn: string;
  /** True where its header doesn't say of which times. */
  readonly isZoneColumnDoubtful: boolean;
  /** The field of zones. */
  readonly zoneField: string;
  /** What is said about the zone of times that carry none. */
  readonly claims: readonly ZoneClaim[];
  /** The column of times of day beside a column of dates; null: there is none. */
  readonly timeColumn: Pick<MappedColumn, 'header' | 'zone'> | null;
  /** The words of a status, where neither a column nor the source says who has completed; null: one of them does. */
  readonly verdicts?: StatusVocabulary | null;
  readonly nowMs: number;
}

/**
 * Creates the reader of a field, once for a drop: everything that is the same for all rows is looked up here. A cell of which
 * something is struck through is refused whatever the field, and so is a formula without a saved value.
 */
export function createFieldReader(
  field: Field,
  operation: Operation,
  source: ValueSource,
  facts: ColumnFacts,
): FieldReader {
  const column = facts.column?.header ?? field.name;
  const read = valueReader(field, operation, source, facts);
  return (cell, fields, zoneCell, timeCell) => {
    if (isStruck(cell)) return struckText(column, cell);
    if (isUnsavedFormula(cell)) return unsavedFormula(column);
    return read(cell, fields, zoneCell, timeCell);
  };
}

function valueReader(
  field: Field,
  operation: Operation,
  source: ValueSource,
  facts: ColumnFacts,
): FieldReader {
  const column = facts.column?.header ?? field.name;
  switch (field.kind) {
    case 'learner': {
      const type = identifierTypeField(operation, field)?.name;
      const context = { column, shape: facts.shape, isWholeColumn: facts.isWholeColumn };
      return (cell, fields) =>
        type !== undefined && isEmailType(fields[type]) ? readEmail(cell, context) : readCode(cell, context);
    }
    case 'identifier': {
      const context = { column, shape: facts.shape, isWholeColumn: facts.isWholeColumn };
      return remembering((cell) => (field.inPath ? readSegment : readCode)(cell, context));
    }
    case 'choice': {
      const context = { column, choices: field.choices ?? [] };
      return remembering((cell) => readChoice(cell, context));
    }
    case 'timestamp': {
      const zones = {
        column: facts.zoneColumn,
        zones: source.zoneNames,
        field: facts.isZoneColumnDoubtful ? facts.zoneField : null,
      };
      const rules = dateRules(source);
      const times = { column: facts.timeColumn?.header ?? '', zones: source.zoneNames };
      const context = {
        column,
        claims: facts.claims,
        timeColumn: times.column,
        timeOfRow: remembering((cell) => readTimeOfDay(cell, times)),
        zoneOfRow: remembering((cell) => readZone(cell, zones)),
        order: source.dateOrder ?? (facts.provenOrder === 'year-day-month' ? null : facts.provenOrder),
        isDaySecond: facts.provenOrder === 'year-day-month',
        doubtfulZones: facts.isZoneColumnDoubtful ? facts.zoneColumn : null,
        zoneField: facts.zoneField,
        isWholeColumn: facts.isWholeColumn,
        // A default is written in registrar.yaml, not by the system that uses these patterns.
        parse:
          source.datePatterns.length > 0 && facts.column !== null
            ? patternsReader(source.datePatterns, rules)
            : (text: string) => parseDateText(text, rules),
        dateOnly: source.dateOnly,
        overlap: source.overlap,
        earliestMs: msFromIso(`${source.earliest}T00:00:00Z`),
        latestMs: facts.nowMs + source.futureMs,
      };
      return (cell, _, zoneCell, timeCell) => readTimestamp(cell, context, zoneCell, timeCell);
    }
    case 'score': {
      const context = {
        column,
        field: field.name,
        scale: source.scale ?? null,
        proven: facts.provenScale,
        isWholeColumn: facts.isWholeColumn,
        unreadable: source.scoreUnreadable,
        decimalMark: source.decimalMark ?? null,
        verdicts: facts.verdicts ?? null,
      };
      return remembering((cell) => readScore(cell, context));
    }
    case 'zone':
    case 'time':
    case 'status':
      throw new Error(
        `${field.name}: a ${field.kind} says how its row is read and is no field of the record`,
      );
    case 'text':
      return remembering(readText);
    case 'passage':
      return readPassage;
    case 'flag': {
      const context = { column };
      return remembering((cell) => readFlag(cell, context));
    }
    case 'list': {
      const separator = source.listSeparator;
      return remembering((cell) => readList(cell, separator));
    }
  }
}

/** How a source's times are written. */
export function dateRules(
  source: Pick<SourceConfig, 'twoDigitYears' | 'languages' | 'zoneNames'>,
): DateRules {
  return {
    twoDigitYears: source.twoDigitYears ?? null,
    monthOf: monthNames(source.languages),
    zones: source.zoneNames,
  };
}
