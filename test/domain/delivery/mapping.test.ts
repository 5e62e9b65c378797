import { describe, expect, it } from 'vitest';
import { type MappingTarget, mapped, submissionsToReplace } from '../../../src/domain/delivery/mapping.js';

const ROW: MappingTarget = { id: 1, chosenIn: 'rejected', state: 'rejected', earlierReplacement: null };
const earlierReplacement = (state: 'waiting' | 'sending') => ({ id: 2, state });

describe('the same record about another learner', () => {
  it.each<[string, Partial<MappingTarget>, object[] | null]>([
    ['takes the place of one that was not sent', {}, [{ id: 1, state: 'rejected' }]],
    ['whatever it is by now', { state: 'held' }, [{ id: 1, state: 'held' }]],
    ['but not of one that is under way', { state: 'sending' }, null],
    ['nor of one that was accepted', { state: 'accepted' }, null],
    ['nor of one that was dismissed', { state: 'dismissed' }, null],
    ['nor of one that was replaced since', { state: 'replaced' }, null],
    [
      'replaces one that was replaced before, and its replacement',
      { chosenIn: 'replaced', state: 'replaced', earlierReplacement: earlierReplacement('waiting') },
      [
        { id: 1, state: 'replaced' },
        { id: 2, state: 'waiting' },
      ],
    ],
    [
      'but not of one whose stand-in is under way',
      { chosenIn: 'replaced', state: 'replaced', earlierReplacement: earlierReplacement('sending') },
      null,
    ],
    ['nor of one that is not replaced any more', { chosenIn: 'replaced', state: 'accepted' }, null],
  ])('%s', (_, changed, places) => {
    expect(submissionsToReplace({ ...ROW, ...changed })).toEqual(places);
  });

  it.each<[string, boolean, 'rejected' | 'in-doubt', boolean]>([
    ['is a repeat where the one before may have arrived', true, 'in-doubt', true],
    ['is none where it was refused', true, 'rejected', false],
    ['is none where it was there before', false, 'in-doubt', false],
  ])('%s', (_, isNew, state, isRepeat) => {
    expect(mapped([{ id: 1, state }], { id: 9, isNew })).toEqual([
      {
        kind: 'transition',
        submission: { id: 1, state },
        event: 'replaced',
        cause: 'mapped',
        successorId: 9,
      },
      ...(isRepeat ? [{ kind: 'count-repeat', submissionId: 9 }] : []),
    ]);
  });
});
