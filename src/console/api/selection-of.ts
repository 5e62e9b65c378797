import { readSelection, type Selectable, type Selection } from '../../domain/selection.js';
import { mistaken } from './read-request.js';

/** The rows that a request names. Throws ApiRefusal with every mistake. */
export function selectionOf(value: Readonly<Record<string, unknown>>, selectable: Selectable): Selection {
  const read = readSelection(value, selectable);
  if ('selection' in read) return read.selection;
  throw mistaken(
    'selection',
    read.mistakes.map(({ field, problem, hint }) => `${field ?? 'the selection'} ${problem}. ${hint}`),
  );
}
