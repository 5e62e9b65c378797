import type { DropSummary } from '../../ledger/books/files/drop-list.js';
import { changedWords, controlWords, emptyWords } from './file-words.js';
import { sheetWords, zoneSaidWords } from './sheet-words.js';

/**
 * What a reader should know of a file beside its numbers, in one line; '' where there is nothing.
 * @param again that its bytes came in again, in the words of the report.
 */
export function fileNotes(file: DropSummary, again: readonly string[]): string {
  const zone = zoneSaidWords(file.zones);
  return [
    ...(file.control === null ? [] : [controlWords(file.control)]),
    ...emptyWords(file),
    ...sheetWords(file),
    ...(zone === null ? [] : [zone]),
    ...again,
    ...changedWords(file),
  ].join('; ');
}
