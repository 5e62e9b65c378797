/** What a spreadsheet would take for a formula, and the apostrophe that says it is none. */
const LOOKS_LIKE_FORMULA = /^[=+\-@\t\r']/;

/** Negative and signed numbers are no formulas. */
const NUMBER = /^[+-]?\d+(?:[.,]\d+)?$/;

/**
 * A value that a spreadsheet shows and doesn't carry out: an apostrophe is put before it. Values that begin with an
 * apostrophe get one more, so that taking one away always gives the original.
 */
function neutralise(value: string): string {
  return LOOKS_LIKE_FORMULA.test(value) && !NUMBER.test(value) ? `'${value}` : value;
}

/** One CSV record (RFC 4180) with its line end. */
export function csvLine(values: readonly (string | number | null)[]): string {
  return `${values.map((value) => quote(neutralise(String(value ?? '')))).join(',')}\r\n`;
}

function quote(value: string): string {
  return /[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
}
