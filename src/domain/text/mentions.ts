import { type Cell, possibleTexts } from '../row.js';

export type Mentions = ReturnType<typeof mentionsOf>;

/** A person's identifiers as they are found, whatever their case and width. */
export function mentionsOf(identifiers: readonly string[]) {
  const all = [...new Set(identifiers.map(folded))].filter((id) => id !== '');
  const unescaped = all.filter(isDistinctive);
  const escaped = unescaped.map((id) => id.replaceAll('+', '%2b').replaceAll('@', '%40'));
  const distinctive = [...new Set([...unescaped, ...escaped])];
  const isNamed = (text: string) => occursIn(folded(text), distinctive, CONTINUES_BEFORE, CONTINUES_AFTER);
  const isACell = (text: string) => occursIn(folded(text), all, NO_CELL_BEFORE, NO_CELL_AFTER);
  return {
    /** In lower case, an address also with the escapes of a path. `42` isn't one: it is found only in a cell of the learner's column. */
    distinctive: distinctive as readonly string[],
    /** True when the text names the person by an identifier that is distinctive. */
    inText: isNamed,
    /** For a file with unknown columns: a cell that equals any of the identifiers counts as well. */
    inFile: (text: string) => isNamed(text) || (all.length > unescaped.length && isACell(text)),
    /** @param isLearner it is in the learner's column. */
    inCell(cell: Cell | undefined, isLearner: boolean) {
      return possibleTexts(cell).some(
        (text) => text !== '' && (isNamed(text) || (isLearner && all.includes(folded(text).trim()))),
      );
    },
  };
}

/** Full-width letters and ligatures become plain letters, as where identifiers are read. */
function folded(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}

/** An address, or letters and digits together: a number alone may be a score, letters alone may be a word. */
function isDistinctive(id: string): boolean {
  return id.includes('@') || (id.length >= 6 && /\p{L}/u.test(id) && /\p{N}/u.test(id));
}

/** `mary-ann@x.org` and `ann@x.org.uk` are other people than `ann@x.org`; `ann@x.org.` ends a sentence. */
const CONTINUES_BEFORE = /[\p{L}\p{N}._%+-]$/u;
const CONTINUES_AFTER = /^(?:[\p{L}\p{N}_-]|\.[\p{L}\p{N}])/u;

/** A text with none of these characters beside it fills a cell, whatever separates the file's cells. */
const NO_CELL_BEFORE = /[^\s"',;|<>:]$/u;
const NO_CELL_AFTER = /^[^\s"',;|<>]/u;

/** Enough code units of a text to hold the neighbouring character, however many units it has. */
const BESIDE = 4;

function occursIn(text: string, wanted: readonly string[], before: RegExp, after: RegExp): boolean {
  return wanted.some((one) => {
    for (let start = text.indexOf(one); start >= 0; start = text.indexOf(one, start + 1)) {
      const end = start + one.length;
      const isOther =
        before.test(text.slice(Math.max(0, start - BESIDE), start)) ||
        after.test(text.slice(end, end + BESIDE));
      if (!isOther) return true;
    }
    return false;
  });
}

/** True when the text is in the cell as a whole word, so that ann@x.org isn't found in joann@x.org. */
export function hasWord(cell: string, text: string): boolean {
  return text !== '' && occursIn(cell, [text], WORD_BEFORE, WORD_AFTER);
}

const WORD_BEFORE = /[\p{L}\p{N}._%+@-]$/u;
const WORD_AFTER = /^[\p{L}\p{N}._%+@-]/u;
