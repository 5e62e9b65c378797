import { describe, expect, it } from 'vitest';
import { deliveredElsewhere, heldAsRestored } from '../../../src/domain/delivery/restored.js';
import { STATES, type State, settle } from '../../../src/domain/submission.js';

describe('what the ledger before a restore had accepted', () => {
  it.each(STATES.filter((state) => state !== 'accepted'))('is accepted where it is %s', (state) => {
    const transition = deliveredElsewhere({ id: 1, state });
    expect(transition).toMatchObject({ event: 'accepted', cause: 'delivered-after-backup' });
    expect(settle(state, 'accepted')).toBe('accepted');
  });

  it('stays where that is known', () => {
    expect(deliveredElsewhere({ id: 1, state: 'accepted' })).toBeNull();
  });
});

describe('what a backup would send by itself', () => {
  it.each<[string, State, State | null, string[]]>([
    ['is held where it waits', 'waiting', null, ['waiting guarded restored']],
    [
      'is held for that where its learner was unknown',
      'held',
      null,
      ['held released restored', 'waiting guarded restored'],
    ],
    [
      'is held where it was refused for its learner',
      'rejected',
      null,
      ['rejected released restored', 'waiting guarded restored'],
    ],
    ['is held where the ledger before has sent it', 'waiting', 'sending', ['waiting guarded restored']],
    ['is held where the ledger before has given it up', 'waiting', 'dismissed', ['waiting guarded restored']],
    ['stays where it is as far there', 'rejected', 'rejected', []],
    ['stays where it waited there', 'waiting', 'waiting', []],
    ['stays where it waited there again', 'rejected', 'waiting', []],
    ['stays where a guard held it there', 'waiting', 'held', []],
  ])('%s', (_, state, elsewhere, transitions) => {
    const told = heldAsRestored({ id: 1, state }, elsewhere).map(
      ({ submission, event, cause }) => `${submission.state} ${event} ${cause}`,
    );
    expect(told).toEqual(transitions);
  });
});
