import type { Selection } from '../../src/domain/selection.js';
import { STATES } from '../../src/domain/submission.js';

/** All rows, invalid ones included. */
export const ANY_ROW: Selection = {
  states: ['invalid', ...STATES],
  cause: null,
  learner: null,
  content: null,
  file: null,
  run: null,
  since: null,
  until: null,
  rows: null,
};
