import { type Cell, cellText } from '../../domain/row.js';
import { ABSENT, type Reading, refuseFor } from './reading.js';
import { trimText } from './trim-text.js';
import { wordSet } from './word-pattern.js';

/** A text for people, on one line and in composed form (NFC). It is never refused: an error value of a workbook counts as empty. */
export function readText(cell: Cell | undefined): Reading<string> {
  if (cell !== null && typeof cell === 'object' && 'error' in cell) return ABSENT;
  const text = trimText(cellText(cell)).normalize('NFC').replace(/\s+/g, ' ');
  return text === '' ? ABSENT : { value: text };
}

/** The texts of a cell that lists several, one a line, without repetitions. Line ends (Alt+Enter) separate texts too. */
export function readList(cell: Cell | undefined, separator: string): Reading<string> {
  if (cell !== null && typeof cell === 'object' && 'error' in cell) return ABSENT;
  const texts = cellText(cell)
    .split(/\r\n|[\r\n\u2028\u2029]/)
    .flatMap((line) => line.split(separator))
    .flatMap((text) => {
      const reading = readText(text);
      return 'value' in reading && reading.value !== null ? [reading.value] : [];
    });
  return texts.length === 0 ? ABSENT : { value: [...new Set(texts)].join('\n') };
}

/**
 * A text that the platform shows: a title, a name, a description (specification §2.5). In composed form (NFC), without
 * invisible characters, its line ends LF; its Markdown is kept as is.
 */
export function readPassage(cell: Cell | undefined): Reading<string> {
  if (cell !== null && typeof cell === 'object' && 'error' in cell) return ABSENT;
  const text = cellText(cell).replace(/\r\n?/g, '\n').replace(SHOWS_NOTHING, '').trim().normalize('NFC');
  return text === '' ? ABSENT : { value: text };
}

/** Invisible characters, without the zero-width joiner and non-joiner, which shape letters and emoji. */
const SHOWS_NOTHING = /(?![\n\t])\p{Cc}|[\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/gu;

/** One of the values a field takes, in the casing that is sent; "external id" is ExternalId. */
export function readChoice(
  cell: Cell | undefined,
  context: { readonly column: string; readonly choices: readonly string[] },
): Reading<string> {
  const key = choiceKey(cellText(cell));
  if (key === '') return ABSENT;
  const choice = context.choices.find((candidate) => choiceKey(candidate) === key);
  if (choice !== undefined) return { value: choice };
  return refuseFor('no-choice', context.column, cell, { choices: context.choices.join(', ') });
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
  return refuseFor('no-flag', column, cell);
}
