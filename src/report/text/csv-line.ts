import { escapeFormula } from '../../domain/text/formula-text.js';

/** One CSV record (RFC 4180) with its line end. */
export function csvLine(values: readonly (string | number | null)[]): string {
  const texts = values.map((value) => escapeFormula(String(value ?? '')));
  return `${texts.map((text) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)).join(',')}\r\n`;
}
