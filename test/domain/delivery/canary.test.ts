import { describe, expect, it } from 'vitest';
import {
  type AnsweredRow,
  type CanaryCount,
  counted,
  heldWithDrop,
} from '../../../src/domain/delivery/canary.js';

const ROW: AnsweredRow = { dropId: 3, environment: 'main', priority: 0 };
const RULE = { rows: 3, maxRejected: 1 };
const tally = (answered: number, refused: number, isStopped = false): CanaryCount => ({
  answered,
  refused,
  isStopped,
});

describe("the first answers to a drop's rows", () => {
  it.each<[string, 'accepted' | 'rejected', CanaryCount | null, object | null]>([
    ['begin with one', 'accepted', null, { answered: 1, refused: 0, isStopped: false }],
    ['count refusals', 'rejected', null, { answered: 1, refused: 1, isStopped: false }],
    ['stop the drop by one refusal too many', 'rejected', tally(1, 1), { refused: 2, isStopped: true }],
    ['count on up to their number', 'rejected', tally(2, 0), { answered: 3, refused: 1, isStopped: false }],
    ['say nothing beyond it', 'rejected', tally(3, 1), null],
    ['say nothing of a drop that is stopped', 'rejected', tally(2, 2, true), null],
  ])('%s', (_, state, count, expected) => {
    const intent = counted(ROW, state, count, RULE);
    if (expected === null) expect(intent).toBeNull();
    else expect(intent).toMatchObject({ kind: 'count-canary', dropId: 3, environment: 'main', ...expected });
  });

  it('are not those that a person requested', () => {
    expect(counted({ ...ROW, priority: 1 }, 'rejected', null, RULE)).toBeNull();
  });

  it('are not counted where the canary looks at none', () => {
    expect(counted(ROW, 'rejected', null, { ...RULE, rows: 0 })).toBeNull();
  });
});

describe('a stopped drop', () => {
  const end = { kind: 'end-canary', dropId: 3 };
  const held = (id: number) => ({
    kind: 'transition',
    submission: { id, state: 'waiting' },
    event: 'guarded',
    cause: 'canary',
  });

  it.each<[string, number[], boolean, boolean, object[]]>([
    ['holds what waits and is finished', [1, 2], true, false, [held(1), held(2), end]],
    ['goes on where more waits', [1], false, false, [held(1)]],
    ['goes on while a row may come back', [1], true, true, [held(1)]],
    ['is finished where nothing waits', [], true, false, [end]],
    ['waits for what is under way', [], true, true, []],
  ])('%s', (_, ids, areAll, isUnderWay, intents) => {
    const rows = ids.map((id) => ({ id, state: 'waiting' as const }));
    expect(heldWithDrop(3, rows, areAll, isUnderWay)).toEqual(intents);
  });
});
