export type SheetRows = Iterable<readonly SheetValue[]> | AsyncIterable<readonly SheetValue[]>;

/** One sheet to write. Its rows are read one by one when its turn comes. */
export interface Sheet {
  readonly name: string;
  readonly columns: readonly SheetColumn[];
  readonly rows: SheetRows;
  /** Makes the sheet one that is read like a letter, without filters: lines around its table, and a last row of sums. */
  readonly letter?: {
    readonly title: string;
    readonly above: readonly string[];
    readonly sums: readonly SheetValue[];
    readonly below: readonly string[];
  };
}

export interface SheetColumn {
  readonly header: string;
  /**
   * `text` (cut where a cell can't hold it) also for what looks like a number, a date or a formula; `number` names
   * something, as a line does; `time` is ISO text, shown as a date in UTC.
   */
  readonly kind: 'text' | 'count' | 'number' | 'time';
  /**
   * A colour that sets the column apart: `added` is a column of ours beside columns that people edit, `guide` says what is
   * to be done, people write into `fill-in`; `listed` has a fine line below each cell instead.
   */
  readonly styleName?: 'added' | 'guide' | 'fill-in' | 'listed';
  readonly wraps?: boolean;
  /** In characters; absent: as most columns. */
  readonly width?: number;
  readonly note?: string;
}

export type SheetValue = string | number | null | WrongText;

export interface WrongText {
  readonly wrong: string;
}
