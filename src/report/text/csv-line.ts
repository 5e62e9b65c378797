import { escapeFormula } from '../../domain/text/formula-text.js';

/** One CSV record (RFC 4180) with its line end. */
export function csvLine(values: readonly (string | number | null)[]): string {
  return `${values.map((value) => quote(escapeFormula(String(value ?? '')))).join(',')}\r\n`;
}

function quote(value: string): string {
  return /[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
}
