/** What a spreadsheet would take for a formula, and the apostrophe that says it is none. */
const LOOKS_LIKE_FORMULA = /^[=+\-@\t\r']/;

/** Negative and signed numbers are no formulas. */
const NUMBER = /^[+-]?\d+(?:[.,]\d+)?$/;

/**
 * A value that a spreadsheet shows and doesn't carry out: an apostrophe is put before it. Values that begin with an
 * apostrophe get one more, so that taking one away always gives the original.
 */
export function neutraliseFormula(value: string): string {
  return LOOKS_LIKE_FORMULA.test(value) && !NUMBER.test(value) ? `'${value}` : value;
}

/** The value that `neutraliseFormula` was given. */
export function restoreFormula(written: string): string {
  return written.startsWith("'") ? written.slice(1) : written;
}
