import { type Cell, cellText, isBlankCell } from '../../../domain/row.js';
import { saltedHash } from '../../submissions/record/keys.js';

/** Bytes of a row's print. */
export const PRINT_BYTES = 8;

/** The hash of a row's cells, empty ones left out, each as a person reads it. */
export function printer(salt: string): (cells: readonly Cell[]) => string {
  const salted = saltedHash(salt);
  return (cells) => {
    const texts = cells.filter((cell) => !isBlankCell(cell)).map((cell) => cellText(cell).trim());
    return salted(`["row/1",${JSON.stringify(texts)}]`, 2 * PRINT_BYTES);
  };
}
