import type { State } from './submission.js';

/** What can be done about a cause: a command on the command line, a button or text on a page. */
export type Remedy =
  | { readonly action: 'rerun' | 'dismiss'; readonly selection: RowsToTreat }
  | { readonly action: 'dismiss'; readonly drop: number }
  | { readonly action: 'map' }
  | { readonly action: 'restage'; readonly drop: number }
  | { readonly action: 'restore'; readonly finish: true };

/** As `readSelection` takes it. A field that is left out doesn't narrow it. */
export interface RowsToTreat {
  readonly states: readonly State[];
  readonly cause?: string;
  readonly file?: string;
  readonly run?: number;
  readonly since?: string;
  readonly rows?: readonly number[];
}

/** A remedy that is right in one case, which a person has to find out. */
export interface Choice {
  /** A clause that begins a sentence: "If it is not there". */
  readonly when: string;
  readonly remedy: Remedy;
}
