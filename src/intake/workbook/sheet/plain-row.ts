/** The step from one row of a sheet to the next, in the form in which nearly all programs write nearly all rows. */
export interface PlainRow {
  /** The number of the row that `step` came to. */
  readonly line: number;
  /** Notes the tag that begins at `start`, a `<`, when it is a row's in this form. */
  note(source: string, start: number): void;
  /** Says that a row begins. Only if its tag was noted just before does `step` know how it leads to the next one. */
  open(): void;
  /**
   * Reads `</row><row r="2" …>`, the second tag being that of the row before in all but the number. Returns where the
   * text goes on behind it; -1 when something else stands at `start`, or not all of it, and says nothing then.
   */
  step(source: string, start: number): number;
}

/**
 * A reader of rows whose tags differ in nothing but their number. What is taken is well-formed because the parser of XML
 * has read a tag of the same text before; it takes longer for a row's tag than for a cell.
 */
export function plainRow(): PlainRow {
  /** What stands behind the number in the tag noted last, and in the tag of the open row; '' when neither is known. */
  let noted = '';
  let rest = '';

  function note(source: string, start: number): void {
    noted = '';
    if (!source.startsWith(ROW_START, start)) return;
    const quote = source.indexOf('"', start + ROW_START.length);
    const end = source.indexOf('>', quote) + 1;
    if (quote < 0 || end === 0) return;
    const behind = source.slice(quote, end);
    if (behind === rest || (BEHIND_NUMBER.test(behind) && !behind.includes('xmlns'))) noted = behind;
  }

  function open(): void {
    rest = noted;
    noted = '';
  }

  function step(source: string, start: number): number {
    if (rest === '' || source.charCodeAt(start + 1) !== SLASH || !source.startsWith(STEP, start)) return -1;
    const first = start + STEP.length;
    let at = first;
    let line = 0;
    for (; at - first < DIGITS_MAX; at += 1) {
      const digit = source.charCodeAt(at) - ZERO;
      if (!(digit >= 0 && digit <= 9)) break;
      line = line * 10 + digit;
    }
    if (at === first || !source.startsWith(rest, at)) return -1;
    row.line = line;
    return at + rest.length;
  }

  const row = { line: 0, note, open, step };
  return row;
}

const ROW_START = '<row r="';
const STEP = `</row>${ROW_START}`;

/** No reference, no bracket and no single quote: what ends here is the tag, and an element that isn't empty. */
const BEHIND_NUMBER = /^"(?: [\w:.-]+="[^"<>&\s]*")*>$/;

/** The last row of a sheet has seven. */
const DIGITS_MAX = 7;

const SLASH = 0x2f;
const ZERO = 0x30;
