import type { RunWatch } from '../../actions/run/request.js';

/** A run whose progress nobody looks at: what it does is read from the ledger. */
export const UNWATCHED: Omit<RunWatch, 'interrupt'> = {
  onStage: () => {},
  onEstimate: () => {},
  onPush: () => {},
};
