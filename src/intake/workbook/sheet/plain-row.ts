/** The step from one row of a sheet to the next, in the form in which nearly all programs write nearly all rows. */
export interface PlainRow {
  /** The number of the row that `step` came to. */
  readonly line: number;
  /** Remembers the tag that begins at `start`, a `<`, when it is a row's in this form. */
  remember(source: string, start: number): void;
  /** To be called when a row begins. `step` can only continue from a row whose tag was remembered just before. */
  open(): void;
  /**
   * Reads `</row><row r="2" …>`, where the second tag equals that of the row before in all but the number. Returns the position
   * after it; -1 when other text stands at `start`, or the two tags aren't complete; `line` stays as it was then.
   */
  step(source: string, start: number): number;
}

/**
 * A reader of rows whose tags differ only in their number. Such a tag is well-formed because the parser of XML has read a tag of
 * the same text before; that parser takes longer for a row's tag than for a cell.
 */
export function plainRow(): PlainRow {
  /** The text after the number in the remembered tag, and in the tag of the open row; '' when unknown. */
  let lastTail = '';
  let openTail = '';

  function remember(source: string, start: number): void {
    lastTail = '';
    if (!source.startsWith(ROW_START, start)) return;
    const quote = source.indexOf('"', start + ROW_START.length);
    const end = source.indexOf('>', quote) + 1;
    if (quote < 0 || end === 0) return;
    const behind = source.slice(quote, end);
    if (behind === openTail || (BEHIND_NUMBER.test(behind) && !behind.includes('xmlns'))) lastTail = behind;
  }

  function open(): void {
    openTail = lastTail;
    lastTail = '';
  }

  function step(source: string, start: number): number {
    if (openTail === '' || source.charCodeAt(start + 1) !== SLASH || !source.startsWith(STEP, start))
      return -1;
    const first = start + STEP.length;
    let at = first;
    let line = 0;
    for (; at - first < DIGITS_MAX; at += 1) {
      const digit = source.charCodeAt(at) - ZERO;
      if (!(digit >= 0 && digit <= 9)) break;
      line = line * 10 + digit;
    }
    if (at === first || !source.startsWith(openTail, at)) return -1;
    row.line = line;
    return at + openTail.length;
  }

  const row = { line: 0, remember, open, step };
  return row;
}

const ROW_START = '<row r="';
const STEP = `</row>${ROW_START}`;

/** No reference, no bracket and no single quote: so the end is the tag's own, and the element isn't empty. */
const BEHIND_NUMBER = /^"(?: [\w:.-]+="[^"<>&\s]*")*>$/;

/** The last row of a sheet has seven. */
const DIGITS_MAX = 7;

const SLASH = 0x2f;
const ZERO = 0x30;
