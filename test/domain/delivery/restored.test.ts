import { describe, expect, it } from 'vitest';
import { heldAsRestored } from '../../../src/domain/delivery/restored.js';
import type { State } from '../../../src/domain/submission.js';

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
    const told = heldAsRestored({ id: 1, state }).map(
      ({ submission, event, cause }) => `${submission.state} ${event} ${cause}`,
    );
    expect(told).toEqual(transitions);
  });
});
