import type { Cell } from '../../../domain/row.js';
import { trimText } from '../trim-text.js';

/** The mark before the decimals, as a source declares it; null: it declares none. */
export type DecimalMark = '.' | ',' | null;

/** The number of a cell that doesn't carry its own scale; null for every other cell. */
export function plainScore(cell: Cell | undefined, decimalMark: DecimalMark): number | null {
  if (typeof cell === 'number') return cell;
  return typeof cell === 'string' ? numberIn(trimText(cell.normalize('NFKC')), decimalMark) : null;
}

/**
 * A number with at most one decimal point or comma; null for anything else. Where no mark is declared, three digits
 * behind a comma may be thousands ("1,234"), unless there is a zero before it.
 */
export function numberIn(text: string, decimalMark: DecimalMark): number | null {
  if (!/^-?(?:\d+(?:[.,]\d+)?|[.,]\d+)$/.test(text)) return null;
  if (decimalMark === null ? mayBeThousands(text) : text.includes(OTHER_MARK[decimalMark])) return null;
  return Number(text.replace(',', '.'));
}

/** True for a text whose comma may stand before decimals or between thousands. */
export function mayBeThousands(text: string): boolean {
  return MAYBE_THOUSANDS.test(text);
}

const MAYBE_THOUSANDS = /^-?[1-9]\d{0,2},\d{3}$/;

const OTHER_MARK = { '.': ',', ',': '.' } as const;
