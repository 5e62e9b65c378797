import { unreadable } from '../unreadable.js';
import { countLineEnds } from './line-counter.js';

/**
 * The mark that ends the rows of a text besides line ends: `!##!` where its first line ends with it, as in the files of SAP
 * SuccessFactors Learning's connectors; else null. Throws where only a later line does: then it is unclear where rows end.
 */
export function detectRowEnd(path: string, text: string): string | null {
  if (FIRST.test(text)) return MARK;
  const later = LATER.exec(text);
  if (later === null) return null;
  const line = countLineEnds(text.slice(0, later.index)) + 1;
  throw unreadable(
    path,
    `line ${line} ends with ${MARK}, which ends rows in the exports of some systems, and the first line doesn't`,
    `Write rowEnd: "${MARK}" for the source and have every row end with it, the header too; or take it out of the file.`,
  );
}

const MARK = '!##!';

/** A line with the mark at its end; or no line at all, because every row ends with nothing but the mark. */
const FIRST = /^[^\r\n]*!##!(?:[\r\n]|[^\r\n]*$)/;
const LATER = /!##![ \t]*[\r\n]/;
