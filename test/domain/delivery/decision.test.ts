import { describe, expect, it } from 'vitest';
import {
  type DecidedSubmission,
  dismissed,
  forgotten,
  heldAsRestored,
  rerun,
} from '../../../src/domain/delivery/decision.js';
import { STATES, type State, settle } from '../../../src/domain/submission.js';

const decided = (state: State, changed: Partial<DecidedSubmission> = {}): DecidedSubmission => ({
  id: 1,
  state,
  cause: null,
  lastStatus: null,
  ...changed,
});

describe('a rerun', () => {
  it.each<[string, DecidedSubmission, number]>([
    ['of what was refused is no repeat', decided('rejected', { lastStatus: 400 }), 0],
    ['of what was never answered is one', decided('in-doubt'), 1],
    ['of what failed with a status is one', decided('failed', { lastStatus: 503 }), 1],
    ['of what failed before a byte was sent is none', decided('failed'), 0],
    ['of what a guard held is none', decided('held', { cause: 'amended', lastStatus: 503 }), 0],
    ['of what a backup may not know of is one', decided('held', { cause: 'restored' }), 1],
  ])('%s', (_, submission, repeats) => {
    expect(rerun(submission, 'rerun')).toEqual({
      kind: 'transition',
      submission: { id: 1, state: submission.state },
      event: 'rerun',
      cause: 'rerun',
      overrides: 'all',
      priority: 1,
      resetsTries: true,
      spent: { repeats },
    });
  });

  it('by a corrected row says so', () => {
    expect(rerun(decided('rejected'), 'returned')).toMatchObject({ event: 'rerun', cause: 'returned' });
  });
});

describe.each<[string, (submission: DecidedSubmission) => unknown, readonly State[]]>([
  ['a rerun', (one) => rerun(one, 'rerun'), ['held', 'rejected', 'failed', 'in-doubt']],
  ['a dismissal', dismissed, ['waiting', 'held', 'rejected', 'failed', 'in-doubt', 'replaced']],
  ["a learner's request to forget", forgotten, ['waiting', 'held', 'rejected', 'failed', 'in-doubt']],
])('%s', (_, transition, states) => {
  it.each(STATES.map((state) => [state]))(
    `of what is %s moves it where the table of states has it`,
    (state) => {
      expect(transition(decided(state)) !== null).toBe(states.includes(state));
    },
  );
});

it('an abandoned decision has its reason', () => {
  expect(dismissed(decided('held'))).toMatchObject({ event: 'dismissed', cause: 'dismiss' });
  expect(forgotten(decided('held'))).toMatchObject({ event: 'dismissed', cause: 'forgotten' });
  expect(settle('held', 'dismissed')).toBe('dismissed');
});

describe('what a backup would send by itself', () => {
  it.each<[string, State, string[]]>([
    ['is held where it waits', 'waiting', ['waiting guarded restored']],
    [
      'is held for that where its learner was unknown',
      'held',
      ['held released restored', 'waiting guarded restored'],
    ],
    [
      'is held where it was refused for its learner',
      'rejected',
      ['rejected released restored', 'waiting guarded restored'],
    ],
  ])('%s', (_, state, transitions) => {
    const held = heldAsRestored({ id: 1, state }).map(
      ({ submission, event, cause }) => `${submission.state} ${event} ${cause}`,
    );
    expect(held).toEqual(transitions);
  });
});
