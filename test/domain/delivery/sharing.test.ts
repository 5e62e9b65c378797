import { describe, expect, it, test } from 'vitest';
import {
  goesTogether,
  isFull,
  mayShare,
  requestsFor,
  requestsOf,
  type Sharer,
} from '../../../src/domain/delivery/sharing.js';

const sharer = (group: string, changed: Partial<Sharer> = {}): Sharer => ({
  group,
  nextDelivery: null,
  ...changed,
});

describe('a record', () => {
  const alone = { nextDelivery: 'alone' } as const;

  it.each<[string, Sharer, Sharer, boolean]>([
    ['shares the request of its group', sharer('a'), sharer('a'), true],
    ['not that of another group', sharer('a'), sharer('b'), false],
    ['not that of one that goes alone', sharer('a', alone), sharer('a'), false],
    ['not where it goes alone', sharer('a'), sharer('a', alone), false],
  ])('%s', (_, first, other, may) => {
    expect(mayShare(first, other)).toBe(may);
  });

  it('that revives what exists may share as any other', () => {
    expect(goesTogether({ nextDelivery: 'revive' })).toBe(true);
  });
});

test('a request is full with as many records as it may have', () => {
  expect([isFull(2, 3), isFull(3, 3)]).toEqual([false, true]);
});

describe('requests', () => {
  const groupsOf = (groups: string[], most: number | null) =>
    requestsOf(
      groups.map((group) => sharer(group)),
      most,
    ).map((request) => request.map(({ group }) => group).join(''));

  it.each<[string, string[], number | null, string[]]>([
    ['hold one record each where none is shared', ['a', 'a'], null, ['a', 'a']],
    ['hold a group each, in the order of their first records', ['a', 'b', 'a'], 3, ['aa', 'b']],
    ['hold no more than they may', ['a', 'a', 'a', 'a', 'a'], 2, ['aa', 'aa', 'a']],
    ['are none where there is no record', [], 3, []],
  ])('%s', (_, groups, most, requests) => {
    expect(groupsOf(groups, most)).toEqual(requests);
  });

  it.each([
    [0, 0],
    [1, 1],
    [100, 1],
    [101, 2],
  ])('for %i records of a group are %i, at a hundred a request', (records, requests) => {
    expect(requestsFor(records, 100)).toBe(requests);
    expect(
      requestsOf(
        Array.from({ length: records }, () => sharer('a')),
        100,
      ),
    ).toHaveLength(requests);
  });
});
