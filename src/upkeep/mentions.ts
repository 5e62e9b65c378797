import { type Cell, cellText } from '../domain/row.js';

/** How a person is recognised in what the ledger and files keep. */
export interface Mentions {
  /** True when the cell names the person. @param isLearner it stands in the column that says whom its row is about. */
  inCell(cell: Cell | undefined, isLearner: boolean): boolean;
  /** True when the text names the person by an identifier that is distinctive. */
  inText(text: string): boolean;
  /** The same for the text of a whole file whose columns nobody knows: there a cell may also be any of the identifiers. */
  inFile(text: string): boolean;
  /**
   * Identifiers that can't be taken for something else, in lower case. `42` can: it is found only where a cell says whom
   * its row is about.
   */
  readonly distinctive: readonly string[];
}

/** A person's identifiers as they are found, whatever their case and width. */
export function mentionsOf(identifiers: readonly string[]): Mentions {
  const all = [...new Set(identifiers.map(folded))].filter((id) => id !== '');
  const distinctive = all.filter(isDistinctive);
  const named = distinctive.length === 0 ? null : patternOf(distinctive, BEFORE, BEHIND);
  const inColumn = patternOf(all, '(?<![^\\s"\',;|\\t<>:])', '(?![^\\s"\',;|\\t<>])');
  const isNamed = (text: string) => named?.test(folded(text)) === true;
  return {
    distinctive,
    inText: isNamed,
    inFile: (text) => isNamed(text) || (all.length > distinctive.length && inColumn.test(folded(text))),
    inCell(cell, isLearner) {
      const text = cellText(cell);
      return text !== '' && (isNamed(text) || (isLearner && all.includes(folded(text).trim())));
    },
  };
}

/** Full-width letters and ligatures are those they stand for, as where identifiers are read. */
function folded(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}

/** An address, or letters and digits together: a number alone may be a score, letters alone may be a word. */
function isDistinctive(id: string): boolean {
  return id.includes('@') || (id.length >= 6 && /\p{L}/u.test(id) && /\p{N}/u.test(id));
}

/** `mary-ann@x.org` and `ann@x.org.uk` are other people than `ann@x.org`; `ann@x.org.` ends a sentence. */
const BEFORE = '(?<![\\p{L}\\p{N}._%+-])';
const BEHIND = '(?![\\p{L}\\p{N}_-]|\\.[\\p{L}\\p{N}])';

function patternOf(ids: readonly string[], before: string, behind: string): RegExp {
  const escaped = ids.map((id) => id.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`${before}(?:${escaped.join('|')})${behind}`, 'u');
}
