import { describe, expect, it } from 'vitest';
import {
  closedBy,
  effectOf,
  type OpenMember,
  outcomeOf,
  type RowResult,
} from '../../../src/domain/delivery/correction.js';
import type { State } from '../../../src/domain/submission.js';

const ROW = { dropId: 1, line: 2 };
const MADE: RowResult = { kind: 'records', created: [9], repeated: [] };
const REPEATS: RowResult = { kind: 'records', created: [], repeated: [4] };
const INVALID: OpenMember = { kind: 'invalid' };

function submission(id: number, state: State = 'rejected'): OpenMember {
  return { kind: 'submission', submission: { id, state, cause: null, lastStatus: 400 } };
}

describe('a row that is read again', () => {
  it('and became a submission is resolved by it, or its submission is replaced by it', () => {
    expect(closedBy(ROW, MADE, [INVALID, submission(4)])).toMatchObject([
      { kind: 'resolve-row', row: ROW, submissionId: 9 },
      { kind: 'transition', event: 'replaced', cause: 'corrected', successorId: 9, submission: { id: 4 } },
    ]);
  });

  it('and repeats its own submission sends that again, marked as a repeat', () => {
    expect(closedBy(ROW, REPEATS, [submission(4)])).toMatchObject([
      { kind: 'transition', event: 'rerun', cause: 'returned', priority: 1, spent: { repeats: 0 } },
    ]);
    expect(closedBy(ROW, REPEATS, [submission(4, 'in-doubt')])).toMatchObject([{ spent: { repeats: 1 } }]);
    expect(closedBy(ROW, REPEATS, [submission(4, 'waiting')])).toEqual([]);
  });

  it('and repeats another submission is resolved or replaced by that', () => {
    expect(closedBy(ROW, REPEATS, [INVALID, submission(5)])).toMatchObject([
      { submissionId: 4 },
      { event: 'replaced', successorId: 4, submission: { id: 5 } },
    ]);
  });

  it('keeps a submission that another row repeats', () => {
    expect(closedBy(ROW, MADE, [submission(4, 'waiting')], new Set([4]))).toEqual([]);
  });

  it('of several records replaces those that it doesn’t repeat by the last that it made', () => {
    const result: RowResult = { kind: 'records', created: [8, 9], repeated: [4] };
    expect(closedBy(ROW, result, [submission(4, 'waiting'), submission(5)])).toMatchObject([
      { event: 'replaced', successorId: 9, submission: { id: 5 } },
    ]);
  });

  it('and is skipped is resolved where it was invalid, and leaves its submissions', () => {
    expect(closedBy(ROW, { kind: 'skipped' }, [INVALID])).toEqual([
      { kind: 'resolve-row', row: ROW, submissionId: null },
    ]);
    expect(closedBy(ROW, { kind: 'skipped' }, [submission(4)])).toEqual([]);
  });

  it.each(['invalid', 'none'] as const)('and is %s changes nothing', (kind) => {
    expect(closedBy(ROW, { kind }, [INVALID, submission(4)])).toEqual([]);
  });
});

describe('the outcome of a corrected row', () => {
  it.each<[string, RowResult, OpenMember[], string]>([
    ['what it became', MADE, [submission(4)], 'made'],
    ['what it repeats', REPEATS, [INVALID], 'repeated'],
    ['invalid, where it was', { kind: 'invalid' }, [INVALID], 'invalid'],
    ['skipped, where it was invalid', { kind: 'skipped' }, [INVALID], 'skipped'],
    ['nothing, where its submission stays', { kind: 'invalid' }, [submission(4)], 'left'],
    ['nothing, where it says nothing', { kind: 'none' }, [INVALID], 'left'],
  ])('is %s', (_, result, open, outcome) => {
    expect(outcomeOf(result, open)).toBe(outcome);
  });
});

it.each<[string, RowResult, OpenMember[], string]>([
  ['replaced', MADE, [submission(4)], 'replaced'],
  ['resolved', MADE, [INVALID], 'resolved'],
  ['sent again', REPEATS, [submission(4)], 'rerun'],
  ['unchanged', { kind: 'invalid' }, [INVALID], 'unchanged'],
])('the effect on the original row is named: it is %s', (_, result, open, effect) => {
  expect(effectOf(closedBy(ROW, result, open))).toBe(effect);
});
