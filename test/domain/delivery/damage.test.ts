import { describe, expect, it } from 'vitest';
import { heldAsDamaged } from '../../../src/domain/delivery/slot.js';
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
});
