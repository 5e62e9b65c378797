import type { SourceConfig } from '../config/schema.js';
import type { FieldValue } from '../domain/record.js';
import type { Cell } from '../domain/row.js';
import type { Field, Operation } from '../operations/operation.js';
import { readChoice } from './choice.js';
import type { DateOrder } from './date-order.js';
import { readEmail } from './email.js';
import { readIdentifier } from './identifier.js';
import { identifierTypeField, isEmailType } from './learner.js';
import type { MappedColumn } from './match-headers.js';
import type { Reading } from './reading.js';
import { remembering } from './remembering.js';
import { readScore } from './score.js';
import { readText } from './text.js';
import { readTimestamp } from './timestamp.js';

/** Reads one field's cell. `fields` holds what the row has given so far: a learner is read by its type. */
export type FieldReader = (
  cell: Cell | undefined,
  fields: Readonly<Record<string, FieldValue>>,
) => Reading<FieldValue>;

/** What a source says about values. */
export type ValueSource = Pick<SourceConfig, 'timeZone' | 'dateOrder' | 'dateOnly' | 'overlap' | 'scale'>;

/** What is known about a field's column besides its cells. */
export interface ColumnFacts {
  /** null for a field that no column gives; its default is read by the same rules. */
  readonly column: MappedColumn | null;
  /** The order that the column proves, for a source that declares none. */
  readonly provenOrder: DateOrder | null;
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
      const context = {
        column,
        zone: facts.column?.zone ?? source.timeZone ?? null,
        order: source.dateOrder ?? facts.provenOrder,
        dateOnly: source.dateOnly,
        overlap: source.overlap,
        nowMs: facts.nowMs,
      };
      return (cell) => readTimestamp(cell, context);
    }
    case 'score': {
      const context = { column, scale: source.scale };
      return remembering((cell) => readScore(cell, context));
    }
    case 'status':
      throw new Error(`${field.name}: a status decides about its row and is no field of the record`);
    case 'text':
      return remembering(readText);
  }
}
