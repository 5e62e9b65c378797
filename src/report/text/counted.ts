import { agreeing } from '../../domain/text/count-of.js';

/** A number as people read it: 1,234,567. */
export function numberText(value: number): string {
  return String(value).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** A number with its noun: "1 row", "1,234 rows". */
export function counted(value: number, noun: string): string {
  return `${numberText(value)} ${agreeing(value, noun, `${noun}s`)}`;
}
