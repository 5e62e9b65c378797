import { describe, expect, it } from 'vitest';
import { heldAsDamaged, releasedAsMended } from '../../../src/domain/delivery/damage.js';
import { STATES } from '../../../src/domain/submission.js';

describe('a submission whose record was damaged', () => {
  it('is held where it waits', () => {
    expect(heldAsDamaged({ id: 1, state: 'waiting' })).toEqual({
      kind: 'transition',
      submission: { id: 1, state: 'waiting' },
      event: 'guarded',
      cause: 'damaged',
    });
  });

  it.each(STATES.filter((state) => state !== 'waiting'))('stays where it is %s', (state) => {
    expect(heldAsDamaged({ id: 1, state })).toBeNull();
  });

  it('waits again, with all patience, once its record is put back', () => {
    expect(releasedAsMended({ id: 1, state: 'held', cause: 'damaged' })).toEqual({
      kind: 'transition',
      submission: { id: 1, state: 'held' },
      event: 'rerun',
      cause: 'put-back',
      freshPatience: true,
    });
  });

  it.each([
    ['held for something else', 'held', 'amended'],
    ['rejected', 'rejected', 'platform-refused'],
    ['delivered', 'accepted', null],
  ] as const)('stays where it is %s', (_, state, cause) => {
    expect(releasedAsMended({ id: 1, state, cause })).toBeNull();
  });
});
