/** The worst first. */
export type Verdict = 'unbalanced' | 'failed' | 'attention' | 'waiting' | 'nothing' | 'well';

/** What the word is chosen by, of a run, of a selection of files or of the whole ledger. */
export interface VerdictFacts {
  readonly isBalanced: boolean;
  /** Something stopped: an environment can't be used, or another part of health has failed. */
  readonly isFailed: boolean;
  /** Rows, files and findings that need attention, unmatched files among them. */
  readonly attention: number;
  readonly waiting: number;
  readonly isEmpty: boolean;
}

export function verdictOf({ isBalanced, isFailed, attention, waiting, isEmpty }: VerdictFacts): Verdict {
  if (!isBalanced) return 'unbalanced';
  if (isFailed) return 'failed';
  if (attention > 0) return 'attention';
  if (waiting > 0) return 'waiting';
  return isEmpty ? 'nothing' : 'well';
}
