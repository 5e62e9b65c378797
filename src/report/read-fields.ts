import type { readFieldSchema } from '../documents/rows.js';
import type { DocumentOf } from '../documents/words.js';
import { cellText } from '../domain/row.js';
import type { BrowsedRow } from '../ledger/books/rows/browsed-rows.js';
import type { Field } from '../operations/operation.js';
import { operationNamed } from '../operations/registry.js';

/** One field of a row as the file has it and as it was read, or is given by the source. */
export interface ReadField extends DocumentOf<typeof readFieldSchema> {
  readonly kind: Field['kind'];
}

/** The operation's fields that the row has, in the operation's order. */
export function fieldsOf({
  operation,
  mapping,
  header,
  cells,
  record,
}: Pick<BrowsedRow, 'operation' | 'mapping' | 'header' | 'cells' | 'record'>): ReadField[] {
  return operationNamed(operation).fields.flatMap(({ name, kind }) => {
    const column = mapping[name] ?? null;
    const value = record?.[name];
    if (column === null && value === undefined) return [];
    const index = column === null ? -1 : header.indexOf(column);
    const inFile = index < 0 || cells === null ? null : cellText(cells[index]);
    return [{ name, kind, column, inFile, asRead: value === undefined ? null : String(value) }];
  });
}

/** The first field of a kind: as it was sent; for what the record lacks, as the file has it; null: the row has neither. */
export function fieldText(fields: readonly ReadField[], kind: Field['kind']): string | null {
  const match = fields.find((field) => field.kind === kind);
  return match?.asRead ?? match?.inFile ?? null;
}
