import type { FieldValue } from '../../domain/record.js';
import type { Cell } from '../../domain/row.js';
import type { ListedDrop } from '../../ledger/books/rows/listed-rows.js';
import { fieldsOf } from '../shown-row.js';

/** Whom and what a row is about, as it was sent; for a row that became no record, as its file has it. Personal. */
export interface RowSubject {
  readonly learner: string | null;
  readonly course: string | null;
  readonly completedAt: string | null;
  readonly score: string | null;
}

/** Reads from a row whom and what it is about; null for what it doesn't say, and for what was erased. */
export function rowSubject(
  { operation, header, mapping }: Pick<ListedDrop, 'operation' | 'header' | 'mapping'>,
  record: Readonly<Record<string, FieldValue>> | null,
  cells: readonly Cell[] | null,
): RowSubject {
  const fields = fieldsOf({ operation, header, mapping, record, cells });
  const value = (isIt: (field: (typeof fields)[number]['field']) => boolean) => {
    const found = fields.find(({ field }) => isIt(field));
    return found?.asRead ?? found?.inFile ?? null;
  };
  return {
    learner: value(({ kind }) => kind === 'learner'),
    course: value(({ kind }) => kind === 'identifier'),
    completedAt: value(({ kind }) => kind === 'timestamp'),
    score: value(({ kind }) => kind === 'score'),
  };
}
