import { describe, expect, it } from 'vitest';
import {
  type CorrectionEffect,
  closedBy,
  effectOf,
  type Fate,
  NOT_YET,
  type OpenMember,
} from '../../../src/domain/delivery/correction.js';
import type { State } from '../../../src/domain/submission.js';

const CORRECTED = { dropId: 5, line: 2 };
const MADE: Fate = { kind: 'made', submissionId: 50 };
const REPEATS: Fate = { kind: 'repeats', submissionId: 10 };
const NONE: Fate = { kind: 'none' };

const invalid = (dropId: number): OpenMember => ({ kind: 'invalid', dropId, line: 7 });
const open = (id: number, state: State = 'rejected', isDone = false): OpenMember => ({
  kind: 'submission',
  dropId: 1,
  line: 7,
  submission: { id, state, cause: null, lastStatus: null },
  isDone,
});

describe('a corrected row', () => {
  const replaced = (id: number, successorId: number) => ({
    kind: 'transition',
    event: 'replaced',
    cause: 'corrected',
    submission: { id },
    successorId,
  });

  it.each<[string, Fate, OpenMember[], object[], CorrectionEffect]>([
    [
      'that became a submission takes the place of what was open',
      MADE,
      [open(10)],
      [replaced(10, 50)],
      'replaced',
    ],
    [
      'takes the place of all that was open',
      MADE,
      [open(10), open(11, 'waiting')],
      [replaced(10, 50), replaced(11, 50)],
      'replaced',
    ],
    ['does not take its own', MADE, [open(50, 'waiting')], [], 'unchanged'],
    [
      'sends again what it repeats',
      REPEATS,
      [open(10)],
      [{ event: 'rerun', cause: 'redrop', submission: { id: 10, state: 'rejected' } }],
      'rerun',
    ],
    ['lets wait what it repeats and waits already', REPEATS, [open(10, 'waiting')], [], 'unchanged'],
    [
      'lets what it repeats take the place of the others',
      REPEATS,
      [open(10, 'waiting'), open(11)],
      [replaced(11, 10)],
      'replaced',
    ],
    [
      'moves nothing that its decision has moved before',
      REPEATS,
      [open(10, 'rejected', true)],
      [],
      'unchanged',
    ],
    ['nor replaces it', MADE, [open(10, 'rejected', true)], [], 'unchanged'],
    [
      'resolves an invalid row by its submission',
      MADE,
      [invalid(1)],
      [{ kind: 'resolve-row', row: { dropId: 1, line: 7 }, by: { submissionId: 50 } }],
      'resolved',
    ],
    [
      'resolves an invalid row by itself where it is no record either',
      NONE,
      [invalid(1), invalid(5)],
      [{ kind: 'resolve-row', row: { dropId: 1, line: 7 }, by: { row: CORRECTED } }],
      'resolved',
    ],
    ['that is no record leaves submissions alone', NONE, [open(10)], [], 'unchanged'],
    ['of what is closed closes nothing', MADE, [], [], 'unchanged'],
  ])('%s', (_, fate, members, intents, effect) => {
    const closed = closedBy(CORRECTED, fate, members);
    expect(closed).toHaveLength(intents.length);
    expect(closed).toMatchObject(intents);
    expect(effectOf(closed)).toBe(effect);
  });

  it('that is not there yet closes what it will close', () => {
    const place = { dropId: NOT_YET, line: 2 };
    const effect = (fate: Fate, members: OpenMember[]) => effectOf(closedBy(place, fate, members));
    expect(effect({ kind: 'made', submissionId: NOT_YET }, [open(10), invalid(1)])).toBe('replaced');
    expect(effect(NONE, [open(10), invalid(1)])).toBe('resolved');
  });
});
