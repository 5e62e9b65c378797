import { LANGUAGES } from '../config/languages.js';
import type { SourceConfig } from '../config/schema.js';
import { msFromIso } from '../domain/clock.js';
import type { FieldValue } from '../domain/record.js';
import type { Cell } from '../domain/row.js';
import type { Field, Operation } from '../operations/operation.js';
import { readChoice } from './choice.js';
import type { DateOrder } from './date-order.js';
import { readEmail } from './email.js';
import { readFlag } from './flag.js';
import { readIdentifier } from './identifier.js';
import { identifierTypeField, isEmailType } from './learner.js';
import { readList } from './list.js';
import type { MappedColumn } from './match-headers.js';
import { monthNames } from './month-names.js';
import { type DateRules, parseDateText } from './parse-date-text.js';
import { readPassage } from './passage.js';
import { patternsReader } from './read-pattern.js';
import type { Reading } from './reading.js';
import { remembering } from './remembering.js';
import { readScore } from './score.js';
import type { ProvenScale } from './score-scale.js';
import { readText } from './text.js';
import { readTimestamp } from './timestamp.js';
import { readZone } from './zone.js';

/**
 * Reads one field's cell. `fields` holds what the row has given so far: a learner is read by its type. `zoneCell` is
 * the row's cell in the column of zones, if there is one.
 */
export type FieldReader = (
  cell: Cell | undefined,
  fields: Readonly<Record<string, FieldValue>>,
  zoneCell?: Cell,
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
  | 'future'
  | 'dateOnly'
  | 'overlap'
  | 'scale'
  | 'decimalMark'
  | 'listSeparator'
>;

/** What is known about a field's column besides its cells. */
export interface ColumnFacts {
  /** null for a field that no column gives; its default is read by the same rules. */
  readonly column: MappedColumn | null;
  /** The order that the column proves, for a source that declares none. */
  readonly provenOrder: DateOrder | null;
  /** The scale that the column proves, for a source that declares none. */
  readonly provenScale: ProvenScale | null;
  /** False where what is proven comes from the first rows alone. */
  readonly isWholeColumn: boolean;
  /** What people call the column of zones. */
  readonly zoneColumn: string;
  readonly nowMs: number;
}

/** The reader of a field, made once for a drop: everything that is the same for all rows is looked up here. */
export function createFieldReader(
  field: Field,
  operation: Operation,
  source: ValueSource,
  facts: ColumnFacts,
): FieldReader {
  const column = facts.column?.header ?? field.name;
  switch (field.kind) {
    case 'learner': {
      const type = identifierTypeField(operation, field)?.name;
      const context = { column };
      return (cell, fields) =>
        type !== undefined && isEmailType(fields[type])
          ? readEmail(cell, context)
          : readIdentifier(cell, context);
    }
    case 'identifier': {
      const context = { column };
      return remembering((cell) => readIdentifier(cell, context));
    }
    case 'choice': {
      const context = { column, choices: field.choices ?? [] };
      return remembering((cell) => readChoice(cell, context));
    }
    case 'timestamp': {
      const zones = { column: facts.zoneColumn, zones: source.zoneNames };
      const rules = dateRules(source);
      const context = {
        column,
        zone: facts.column?.zone ?? source.timeZone ?? null,
        zoneOfRow: remembering((cell) => readZone(cell, zones)),
        order: source.dateOrder ?? facts.provenOrder,
        isWholeColumn: facts.isWholeColumn,
        // A default is written in registrar.yaml, not by the system whose patterns these are.
        parse:
          source.datePatterns.length > 0 && facts.column !== null
            ? patternsReader(source.datePatterns, rules)
            : (text: string) => parseDateText(text, rules),
        dateOnly: source.dateOnly,
        overlap: source.overlap,
        earliestMs: msFromIso(`${source.earliest}T00:00:00Z`),
        latestMs: facts.nowMs + source.future,
      };
      return (cell, _, zoneCell) => readTimestamp(cell, context, zoneCell);
    }
    case 'score': {
      const context = {
        column,
        scale: source.scale ?? null,
        proven: facts.provenScale,
        isWholeColumn: facts.isWholeColumn,
        decimalMark: source.decimalMark ?? null,
      };
      return remembering((cell) => readScore(cell, context));
    }
    case 'zone':
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
    monthOf: monthNames(source.languages ?? LANGUAGES),
    zones: source.zoneNames,
  };
}
