import { describe, expect, it, test } from 'vitest';
import { guard, newerRevision, type SlotMember } from '../../../src/domain/delivery/guard.js';
import { type OperationKind, supersedes } from '../../../src/domain/operation-kind.js';

const base: SlotMember = {
  id: 10,
  revision: 1,
  occurredAt: '2026-01-10T00:00:00.000Z',
  state: 'waiting',
  overrides: null,
};
const earlier = '2026-01-01T00:00:00.000Z';
const later = '2026-02-01T00:00:00.000Z';
const other = (changed: Partial<SlotMember>): SlotMember => ({
  ...base,
  id: 11,
  occurredAt: '2026-01-20T00:00:00.000Z',
  ...changed,
});

describe('guard', () => {
  it.each<[string, Partial<SlotMember>, SlotMember[], boolean, object]>([
    ['an empty slot lets it go', {}, [], false, { kind: 'go' }],
    ['one under way blocks the slot', {}, [other({ state: 'sending' })], false, { kind: 'blocked' }],
    ['an older one that waits goes first', {}, [other({ occurredAt: earlier })], false, { kind: 'blocked' }],
    ['a newer one that waits lets it go', {}, [other({ occurredAt: later })], false, { kind: 'go' }],
    [
      'of the same time, the earlier revision goes first',
      { revision: 2 },
      [base],
      false,
      { kind: 'blocked' },
    ],
    [
      'what is held, rejected or failed blocks no row',
      {},
      [
        other({ occurredAt: earlier, state: 'held' }),
        other({ occurredAt: earlier, state: 'rejected' }),
        other({ occurredAt: earlier, state: 'failed' }),
      ],
      false,
      { kind: 'go' },
    ],
    [
      'older than one accepted is held',
      {},
      [other({ occurredAt: later, state: 'accepted' })],
      false,
      {
        kind: 'hold',
        cause: 'out-of-order',
      },
    ],
    [
      'a rerun passes that guard',
      { overrides: 'all' },
      [other({ occurredAt: later, state: 'accepted' })],
      false,
      {
        kind: 'go',
      },
    ],
    ['a learner on hold holds it', {}, [], true, { kind: 'hold', cause: 'learner-unknown' }],
    ['a rerun passes the hold', { overrides: 'all' }, [], true, { kind: 'go' }],
    [
      'a newer revision takes its place',
      {},
      [{ ...base, id: 12, revision: 2 }],
      false,
      {
        kind: 'replace',
        successor: 12,
      },
    ],
    [
      'a dismissed newer revision does not',
      {},
      [{ ...base, id: 12, revision: 2, state: 'dismissed' }],
      false,
      {
        kind: 'go',
      },
    ],
    [
      'a correction of an accepted row is held',
      { revision: 2 },
      [{ ...base, id: 9, state: 'accepted' }],
      false,
      {
        kind: 'hold',
        cause: 'amended',
      },
    ],
    [
      'unless the source sends corrections',
      { revision: 2, overrides: 'amended' },
      [{ ...base, id: 9, state: 'accepted' }],
      false,
      { kind: 'go' },
    ],
  ])('%s', (_, changed, peers, onHold, verdict) => {
    expect(guard({ ...base, ...changed }, peers, onHold)).toEqual(verdict);
  });
});

describe('a further step', () => {
  const before: SlotMember = { ...base, id: 9, occurredAt: null };
  const step: SlotMember = { ...base, revision: 2, occurredAt: null, overrides: 'amended' };

  it('waits for the one before it', () => {
    expect(guard(step, [before], false, false)).toEqual({ kind: 'blocked' });
  });

  it('does not take its place', () => {
    expect(guard(before, [step], false, false)).toEqual({ kind: 'go' });
  });
});

test.each<[string, OperationKind, boolean]>([
  ['of an occurrence takes the place of earlier ones', 'occurrences', true],
  ['of a state takes the place of earlier ones', 'state', true],
  ['of a step leaves them alone', 'steps', false],
])('a newer revision %s', (_, kind, expected) => {
  expect(supersedes(kind)).toBe(expected);
});

test('the newest revision replaces the others, whatever the order of the peers', () => {
  const newer = { ...base, id: 12, revision: 2 };
  const newest = { ...base, id: 13, revision: 3 };
  expect(newerRevision(base, [newest, newer])).toBe(newest);
  expect(newerRevision(base, [newer, newest])).toBe(newest);
  expect(newerRevision(base, [newer, { ...newest, state: 'replaced' }])).toBe(newer);
  expect(newerRevision(newest, [base, newer])).toBeNull();
});
