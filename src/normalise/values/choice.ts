import { type Cell, cellText } from '../../domain/row.js';
import { ABSENT, type Reading, refuse } from './reading.js';
import { trimText } from './trim-text.js';
import { wordSet } from './word-pattern.js';

/** One of the values a field takes, in the casing that is sent; "external id" is ExternalId. */
export function readChoice(
  cell: Cell | undefined,
  context: { readonly column: string; readonly choices: readonly string[] },
): Reading<string> {
  const key = choiceKey(cellText(cell));
  if (key === '') return ABSENT;
  const choice = context.choices.find((candidate) => choiceKey(candidate) === key);
  if (choice !== undefined) return { value: choice };
  const because = 'is not one of the values this field takes';
  const remedy = `use one of ${context.choices.join(', ')}`;
  return refuse('choice-invalid', context.column, cell, because, remedy);
}

function choiceKey(text: string): string {
  return trimText(text.normalize('NFKC'))
    .replace(/[\s_-]/g, '')
    .toLowerCase();
}

const yes = wordSet('status.yes');
const no = wordSet('status.no');

/** A yes or no in any language, such as true, yes, y, 1 and false, no, n, 0, whatever their case, and boolean cells. */
export function readFlag(cell: Cell | undefined, { column }: { readonly column: string }): Reading<boolean> {
  const text = trimText(cellText(cell)).toLowerCase();
  if (text === '') return ABSENT;
  if (yes().has(text)) return { value: true };
  if (no().has(text)) return { value: false };
  const because = 'is neither true nor false';
  const remedy = 'write true or false, yes or no';
  return refuse('choice-invalid', column, cell, because, remedy);
}
