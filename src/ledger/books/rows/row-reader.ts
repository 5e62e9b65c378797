import type { RowIssue } from '../../../documents/trace.js';
import type { FieldValue } from '../../../domain/record.js';
import type { Cell } from '../../../domain/row.js';
import type { RowRef } from '../../../domain/row-ref.js';
import type { State } from '../../../domain/submission.js';
import { cellsAt } from '../../drops/rows/kept-rows.js';
import { type TracedDrop, tracedDrop } from '../../drops/traced-drops.js';
import type { Ledger } from '../../store/query.js';

/** A row that needs a person, with all that says why. Personal. */
export interface AttentionSample {
  readonly dropId: number;
  readonly file: string;
  readonly operation: string;
  readonly line: number;
  readonly state: State | 'invalid';
  readonly header: readonly string[];
  /** The row's present cells; null once erased. */
  readonly cells: readonly Cell[] | null;
  /** The decision that gave the row these cells; null: they were read. */
  readonly correctedBy: number | null;
  /** For each field of the operation, the header it was read from. */
  readonly mapping: Readonly<Record<string, string>>;
  /** The record that is or was to be sent; null for a row that became no record, and once erased. */
  readonly record: Readonly<Record<string, FieldValue>> | null;
  /** Why it became no record; value and sentence are null once erased. */
  readonly issues: readonly RowIssue[];
  readonly requests: number;
  /** The last answer; null where no answer came, or no request was sent. */
  readonly answer: {
    readonly status: number | null;
    /** The platform's words, else the reason why it didn't answer. */
    readonly detail: string | null;
    readonly errorId: string | null;
  } | null;
}

/** Reads rows of files; each drop is read once. */
export function rowReader(ledger: Ledger) {
  const drops = new Map<number, TracedDrop>();
  return async ({ dropId, line }: RowRef) => {
    const drop = drops.get(dropId) ?? (await tracedDrop(ledger, dropId));
    if (drop === undefined) throw new Error(`a row of drop ${dropId}, which there is not`);
    drops.set(dropId, drop);
    const { file, operation, header, mapping, source, environment, sheet, publishedAt } = drop;
    const read = { file, operation, header, mapping, source, environment, sheet, publishedAt };
    return { dropId, line, ...read, ...(await cellsAt(ledger, { dropId, line })) };
  };
}
