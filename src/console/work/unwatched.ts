import type { RunWatch } from '../../actions/run/request.js';

/** A run without observers of its progress: its effects are read from the ledger. */
export const UNWATCHED: Omit<RunWatch, 'interrupt'> = {
  onStage: () => {},
  onEstimate: () => {},
  onPush: () => {},
};
