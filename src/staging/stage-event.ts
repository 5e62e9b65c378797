import type { Disposition } from '../domain/row.js';

/** What staging tells those who watch it. Nothing in it is personal but the file's name. */
export type StageEvent =
  | { readonly kind: 'drop'; readonly source: string; readonly file: string; readonly path: string }
  | {
      readonly kind: 'rows';
      readonly file: string;
      /** Rows read so far. */
      readonly rows: number;
      /** Rows the file probably has; null where nothing tells. */
      readonly expectedRows: number | null;
    }
  | {
      readonly kind: 'published';
      readonly source: string;
      readonly file: string;
      readonly dropId: number;
      readonly dispositions: Readonly<Record<Disposition, number>>;
    }
  /** The same bytes came in before: nothing of it is staged again. */
  | { readonly kind: 'repeated'; readonly source: string; readonly file: string; readonly dropId: number }
  /** The file as a whole was set aside. */
  | { readonly kind: 'refused'; readonly source: string; readonly file: string; readonly sentence: string }
  /** Left in the inbox, for a reason worth telling. */
  | { readonly kind: 'left'; readonly source: string; readonly file: string; readonly reason: string }
  /** Another process is staging; this one waits for it. */
  | { readonly kind: 'queued'; readonly pid: number };

export type StageListener = (event: StageEvent) => void;
