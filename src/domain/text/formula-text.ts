/** Blanks before them don't help, since spreadsheets ignore them. An apostrophe marks text. */
const LOOKS_LIKE_FORMULA = /^(?:\s*[=+\-@＝＋－＠]|')/;

/** A spreadsheet may drop these characters at the beginning of a whole value. */
const STRIPPED = /^[\t\r]/;

/** Negative and signed numbers are no formulas. */
const NUMBER = /^[+-]?\d+(?:[.,]\d+)?[;\t\r\n]?$/;

/** Where a spreadsheet that is set to another separator begins a cell within a value. */
const CELL_BEGINS = /(?<=[;\t\r\n])/;

/**
 * An apostrophe precedes each piece that looks like a formula, whatever separates cells, and each piece with an
 * apostrophe, so that removing one always gives the original.
 */
export function escapeFormula(value: string): string {
  return inPieces(value, (piece, index) => {
    const isFormula = LOOKS_LIKE_FORMULA.test(piece) && !NUMBER.test(piece);
    return isFormula || (index === 0 && STRIPPED.test(piece)) ? `'${piece}` : piece;
  });
}

export function unescapeFormula(written: string): string {
  return inPieces(written, (piece) => (piece.startsWith("'") ? piece.slice(1) : piece));
}

function inPieces(value: string, change: (piece: string, index: number) => string): string {
  // Nearly every value is one piece.
  return CELL_BEGINS.test(value) ? value.split(CELL_BEGINS).map(change).join('') : change(value, 0);
}
