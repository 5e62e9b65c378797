import type { ShownRow } from '../documents/rows.js';
import { cellText } from '../domain/row.js';
import type { AttentionSample } from '../ledger/books/rows/browsed-rows.js';
import type { Field } from '../operations/operation.js';
import { operationNamed } from '../operations/registry.js';
import { clip } from './text/layout.js';

/** A row as pages and documents show it. Personal. */
export function shownRow(sample: AttentionSample): ShownRow {
  const { answer } = sample;
  return {
    drop: sample.dropId,
    file: sample.file,
    line: sample.line,
    state: sample.state,
    requests: sample.requests,
    status: answer?.status ?? null,
    answer: answer?.detail ? clip(answer.detail, LONGEST_SENTENCE) : null,
    errorId: answer?.errorId ?? null,
    problems: sample.issues.map(({ code, column, message, remedy }) => ({
      code,
      column,
      sentence: clip(message ?? 'its text was erased', LONGEST_SENTENCE),
      remedy: clip(remedy, LONGEST_SENTENCE),
    })),
    fields: fieldsOf(sample).map(({ field, column, inFile, asRead }) => ({
      name: field.name,
      column,
      inFile: inFile && clip(inFile, LONGEST_VALUE),
      asRead: asRead && clip(asRead, LONGEST_VALUE),
    })),
  };
}

/** The most characters of a value and of a sentence on the page; the attention file has all of them. */
const LONGEST_VALUE = 120;
const LONGEST_SENTENCE = 400;

/** One field of a row as the file has it and as it was read, or is given by the source. */
export interface ReadField {
  readonly field: Field;
  readonly column: string | null;
  readonly inFile: string | null;
  readonly asRead: string | null;
}

/** The operation's fields that the row has, in the operation's order. */
export function fieldsOf({
  operation,
  mapping,
  header,
  cells,
  record,
}: Pick<AttentionSample, 'operation' | 'mapping' | 'header' | 'cells' | 'record'>): ReadField[] {
  return operationNamed(operation).fields.flatMap((field) => {
    const column = mapping[field.name] ?? null;
    const value = record?.[field.name];
    if (column === null && value === undefined) return [];
    const index = column === null ? -1 : header.indexOf(column);
    const inFile = index < 0 || cells === null ? null : cellText(cells[index]);
    return [{ field, column, inFile, asRead: value === undefined ? null : String(value) }];
  });
}

/** The first field of a kind: as it was sent; for what the record lacks, as the file has it; null: the row has neither. */
export function fieldText(fields: readonly ReadField[], kind: Field['kind']): string | null {
  const match = fields.find(({ field }) => field.kind === kind);
  return match?.asRead ?? match?.inFile ?? null;
}
