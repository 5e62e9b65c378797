import type { Selectable } from '../../domain/selection.js';
import { ATTENTION_STATES, STATES } from '../../domain/submission.js';

export const RERUNNABLE: Selectable = {
  done: 'rerun',
  states: ATTENTION_STATES,
  usual: ATTENTION_STATES,
  instead: {
    accepted:
      'The platform has accepted it. To change what the platform has, drop a file with the corrected row.',
    sending: 'Its request is under way: wait for the answer.',
    waiting: 'It is waiting already, and the next run sends it.',
    dismissed: 'An operator dismissed it: its trace names the decision.',
    replaced: 'A newer row has replaced it: rerun that one.',
    invalid:
      'It has no record to send. Correct it on its page or in the attention file, or correct registrar.yaml and restage its file.',
  },
};

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
