import type { Sheet, SheetValue } from '../workbook/sheet.js';

/** Collects what no sheet can hold: which row of which file, and why. */
export interface LeftOut {
  add(sheet: string, file: string, row: string, why: string): void;
  /** null where nothing was left out. */
  sheet(): Sheet | null;
}

/** Collects what no sheet can hold while the sheets are written, and lists it on a last sheet of its own. */
export function leftOut(): LeftOut {
  const rows: SheetValue[][] = [];
  return {
    add: (sheet, file, row, why) => void rows.push([sheet, file, row, why]),
    sheet: () =>
      rows.length === 0
        ? null
        : {
            name: LEFT_OUT,
            columns: ['Sheet', 'File', 'Row', 'Why it is in the CSV file alone'].map((header) => ({
              header,
              kind: 'text',
              look: 'added',
            })),
            rows,
            whenFull: 'There are more.',
          },
  };
}

export const LEFT_OUT = 'Left out';
