import type { State } from './submission.js';

/**
 * What can be done about a cause: an action and its arguments. A command line prints it as a command, a page as text or as
 * something to press.
 */
export type Remedy =
  | { readonly action: 'rerun' | 'dismiss'; readonly selection: RowsToTreat }
  | { readonly action: 'dismiss'; readonly drop: number }
  /** Only a person knows the right identifier. */
  | { readonly action: 'map' }
  /** The number of a drop whose rows are read again. */
  | { readonly action: 'restage'; readonly drop: number }
  /** Finishes a restore: new rows are no longer held. */
  | { readonly action: 'restore'; readonly finish: true };

/** A selection, as `readSelection` takes it. A field that is left out doesn't narrow it. */
export interface RowsToTreat {
  readonly states: readonly State[];
  readonly cause?: string;
  readonly file?: string;
  readonly run?: number;
  readonly since?: string;
  readonly rows?: readonly number[];
}

/** A remedy that is right in one case; a person has to find out whether that is the case. */
export interface Choice {
  /** A clause that begins a sentence: "If it is not there". */
  readonly when: string;
  readonly remedy: Remedy;
}
