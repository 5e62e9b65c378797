import type { Selectable } from '../../domain/selection.js';
import { ATTENTION_STATES, STATES } from '../../domain/submission.js';

/** The states of rows that can be delivered again. */
export const RERUNNABLE: Selectable = {
  done: 'rerun',
  states: ATTENTION_STATES,
  usual: ATTENTION_STATES,
  instead: {
    invalid:
      'An invalid row became no record, so there is nothing to send. Correct it in the attention file, or mend registrar.yaml and registrar restage DROP.',
  },
};

/** The states of rows that can be dismissed. */
export const DISMISSABLE: Selectable = {
  done: 'dismissed',
  states: ['waiting', ...ATTENTION_STATES, 'invalid'],
  usual: [...ATTENTION_STATES, 'invalid'],
};

/** The states of rows that can be looked at: all. */
export const BROWSABLE: Selectable = {
  done: 'shown',
  states: [...STATES, 'invalid'],
  usual: [...ATTENTION_STATES, 'invalid'],
};
