/** One sheet to write. Its rows are read one by one when its turn comes. */
export interface Sheet {
  readonly name: string;
  readonly columns: readonly SheetColumn[];
  readonly rows: Iterable<readonly SheetValue[]> | AsyncIterable<readonly SheetValue[]>;
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
  /** `text` also for what looks like a number, a date or a formula; `number` names something; `time` is ISO, shown as a date in UTC. */
  readonly kind: 'text' | 'count' | 'number' | 'time';
  /** `added`: ours beside columns that people edit; `guide` says what to do; people write into `fill-in`; `listed`: with fine lines. */
  readonly styleName?: 'added' | 'guide' | 'fill-in' | 'listed';
  /** True: a long text takes several lines. */
  readonly wraps?: boolean;
  /** In characters; absent: as most columns. */
  readonly width?: number;
  readonly note?: string;
}

export type SheetValue = string | number | null | WrongText;

export interface WrongText {
  readonly wrong: string;
}
