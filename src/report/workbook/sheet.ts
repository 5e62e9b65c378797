/** Rows of a sheet, one by one. */
export type SheetRows = Iterable<readonly SheetValue[]> | AsyncIterable<readonly SheetValue[]>;

/** One sheet to write. Its rows are asked for one by one, when its turn comes. */
export interface Sheet {
  readonly name: string;
  readonly columns: readonly SheetColumn[];
  readonly rows: SheetRows;
  /** What the last row says where there are more rows than a sheet holds. */
  readonly whenFull: string;
  /** Columns that stay where they are when people move sideways; absent: none. */
  readonly frozenColumns?: number;
}

/** A sheet that is read like a letter: a title, lines of text and a table, each in its own look. */
export interface Letter {
  readonly name: string;
  /** Of each column, in characters. */
  readonly widths: readonly number[];
  readonly lines: readonly LetterLine[];
}

export interface LetterLine {
  /** `title`, `heading` and `text` may be longer than their column is wide: nothing stands beside them. */
  readonly look: 'title' | 'heading' | 'text' | 'head' | 'row' | 'sum';
  readonly cells: readonly (string | number | { readonly toSheet: string })[];
}

export interface SheetColumn {
  readonly header: string;
  /**
   * `text` (cut where a cell can't hold it) also for what looks like a number, a date or a formula; `number` names
   * something, as a line does; `time` is ISO text, shown as a date in UTC.
   */
  readonly kind: 'text' | 'count' | 'number' | 'time';
  /**
   * Set apart by its colour: `added` is ours and beside columns that people edit, `guide` says what is to be done,
   * `fill-in` is what people write into.
   */
  readonly look?: 'added' | 'guide' | 'fill-in';
  /** True: long text takes several lines. */
  readonly wraps?: boolean;
  /** In characters; absent: as its first rows need, up to `widest`. */
  readonly width?: number;
  readonly widest?: number;
  /** What the header says to whoever points at it. */
  readonly note?: string;
}

export type SheetValue = string | number | null | MarkedText;

/** A text that is wrong, in a colour and with a note that says why. */
export interface MarkedText {
  readonly text: string;
  readonly note: string;
}
