import { didYouMean } from '../../config/did-you-mean.js';
import { OperatorError } from '../../domain/operator-error.js';
import { nearestHeader } from '../../normalise/header/header-text.js';

/** The columns of a row, by header and by the name of the field they give. */
export interface NamedColumns {
  readonly header: readonly string[];
  /** Index of the column by field. */
  readonly fields: Readonly<Record<string, number>>;
}

/** A value that a person set: `COLUMN=value`, where COLUMN is a header without an equals sign or a field, or the value of the column with an index. */
export type CellToSet = string | { readonly column: number; readonly value: string };

/**
 * Reads the values that a person set; an empty value empties the cell. Throws OperatorError for a column that the row lacks, for a header that several columns have, and for a column
 * that is set twice.
 * @returns the values by the index of their column.
 */
export function cellsToSet(set: readonly CellToSet[], columns: NamedColumns): ReadonlyMap<number, string> {
  const given = new Map<number, string>();
  for (const one of set) {
    if (typeof one !== 'string') {
      if (one.column in columns.header) given.set(one.column, one.value);
      continue;
    }
    const [, name = '', value = ''] = /^([^=]+)=(.*)$/s.exec(one) ?? [];
    if (name.trim() === '') throw wrong(one, `"${one}" sets no column`, 'Write it as COLUMN=value.');
    const index = indexOf(name.trim(), columns, one);
    if (given.has(index))
      throw wrong(one, `"${columns.header[index]}" is set twice`, 'Set each column once.');
    given.set(index, value);
  }
  return given;
}

function indexOf(name: string, { header, fields }: NamedColumns, text: string): number {
  const found = header.flatMap((other, index) =>
    other.trim().toLowerCase() === name.toLowerCase() ? [index] : [],
  );
  if (found.length > 1) {
    const field = Object.entries(fields).find(([, index]) => found.includes(index))?.[0];
    const hint =
      field === undefined
        ? "Correct the row in its drop's attention file."
        : `Name the one that is read by its field, ${field}.`;
    throw wrong(text, `${found.length} columns are called "${name}"`, hint);
  }
  if (found[0] !== undefined) return found[0];
  // Of its own: a word such as "constructor" is in every object.
  const [, ofField] =
    Object.entries(fields).find(([field]) => field === name || field === name.toLowerCase()) ?? [];
  if (ofField !== undefined) return ofField;
  const meant = didYouMean(name, [...header, ...Object.keys(fields)]) ?? nearestHeader(name, header);
  const shown = header.filter((other) => other.trim() !== '').join(', ');
  throw wrong(
    text,
    `the row has no column "${name}"${meant === null ? '' : `; did you mean "${meant}"?`}`,
    `Its columns are: ${shown}.`,
  );
}

function wrong(text: string, message: string, hint: string): OperatorError {
  return new OperatorError({ operation: 'correct a row', subject: text, message, hint, reason: 'invalid' });
}
