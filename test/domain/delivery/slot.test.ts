import { describe, expect, it, test } from 'vitest';
import type { SlotMember } from '../../../src/domain/delivery/guard.js';
import {
  afterPublication,
  behind,
  claimed,
  headOf,
  obstacleTo,
  type Slot,
  verdictIn,
  verdictTransition,
  wouldGo,
} from '../../../src/domain/delivery/slot.js';
import { settle } from '../../../src/domain/submission.js';
import { EARLIER, LATER, other, revision, slotOf, WAITING } from './guarded.js';

describe('the head of a slot', () => {
  it.each<[string, Slot, number | null, boolean]>([
    ['is what waits alone', slotOf([WAITING]), 10, false],
    ['is nothing where nothing waits', slotOf([other(1, { state: 'accepted' })]), null, false],
    ['is the oldest by its time', slotOf([WAITING, other(11, { occurredAt: EARLIER })]), 11, false],
    ['is the first revision of a key', slotOf([revision(12, 2), WAITING], { supersedes: false }), 10, false],
    ['waits for one under way', slotOf([WAITING, other(11, { state: 'sending' })]), 10, true],
  ])('%s', (_, slot, id, isBlocked) => {
    const found = headOf(slot);
    expect(found).toMatchObject({ transitions: [], isBlocked });
    expect(found.head?.id ?? null).toBe(id);
  });

  it('is what comes behind those that a guard holds', () => {
    const tooOld = other(11, { occurredAt: EARLIER });
    const goes = other(13, { occurredAt: '2026-03-01T00:00:00.000Z' });
    const slot = slotOf([goes, tooOld, WAITING, other(12, { state: 'accepted', occurredAt: LATER })]);
    expect(headOf(slot)).toEqual({
      transitions: [
        {
          kind: 'transition',
          submission: { id: 11, state: 'waiting' },
          event: 'guarded',
          cause: 'out-of-order',
        },
        {
          kind: 'transition',
          submission: { id: 10, state: 'waiting' },
          event: 'guarded',
          cause: 'out-of-order',
        },
      ],
      head: goes,
      isBlocked: false,
    });
  });

  it('is the newest revision, which replaces those that wait before it', () => {
    const newest = revision(14, 3);
    const found = headOf(slotOf([WAITING, revision(12, 2), newest]));
    expect(found.head).toEqual(newest);
    expect(
      found.transitions.map(({ submission, event, successorId }) => [submission.id, event, successorId]),
    ).toEqual([
      [10, 'replaced', 14],
      [12, 'replaced', 14],
    ]);
  });

  it('is nothing while its learner is on hold, and the probe once one is due', () => {
    const slot = slotOf([WAITING, other(11, { occurredAt: LATER })], { hold: { probeId: null } });
    expect(headOf(slot).head).toBeNull();
    expect(headOf(slot).transitions.map(({ cause }) => cause)).toEqual([
      'learner-unknown',
      'learner-unknown',
    ]);
    expect(headOf({ ...slot, hold: { probeId: 11 } }).head?.id).toBe(11);
  });

  it('comes with whatever else is known of it', () => {
    const waiting = { ...WAITING, line: 7 };
    expect(headOf({ submissions: [waiting], hold: null, supersedes: true }).head?.line).toBe(7);
  });
});

describe('a verdict', () => {
  it.each<[string, SlotMember[], object | null]>([
    ['to go moves nothing', [], null],
    ['to wait on moves nothing', [other(11, { state: 'sending' })], null],
    [
      'to hold says why',
      [other(11, { state: 'accepted', occurredAt: LATER })],
      { event: 'guarded', cause: 'out-of-order' },
    ],
    [
      'to make room names the successor',
      [revision(12, 2)],
      { event: 'replaced', cause: 'newer-revision', successorId: 12 },
    ],
  ])('%s', (_, peers, expected) => {
    const slot = slotOf([WAITING, ...peers]);
    const transition = verdictTransition(WAITING, verdictIn(slot, WAITING));
    if (expected === null) expect(transition).toBeNull();
    else expect(transition).toMatchObject({ ...expected, submission: { id: 10, state: 'waiting' } });
  });
});

describe('a claim', () => {
  it.each<[string, SlotMember[], boolean, number[]]>([
    ['moves what it claims', [WAITING], true, []],
    [
      'has earlier revisions make room that were never accepted',
      [
        revision(1, 1, { state: 'held' }),
        revision(2, 2, { state: 'rejected' }),
        revision(3, 3, { state: 'dismissed' }),
        revision(4, 4, { state: 'accepted' }),
        revision(5, 5, { state: 'replaced' }),
        revision(6, 6, { state: 'sending' }),
        revision(10, 7),
      ],
      true,
      [1, 2, 3],
    ],
    ['leaves other occurrences alone', [WAITING, other(11, { state: 'held' })], true, []],
    [
      'leaves earlier steps alone, each of which counts',
      [revision(1, 1, { state: 'held' }), revision(10, 2)],
      false,
      [],
    ],
  ])('%s', (_, submissions, supersedes, replaced) => {
    const candidate = submissions.find(({ id }) => id === 10) as SlotMember;
    const transitions = claimed(slotOf(submissions, { supersedes }), candidate);
    expect(transitions.slice(0, -1).map(({ submission }) => submission.id)).toEqual(replaced);
    for (const transition of transitions.slice(0, -1)) {
      expect(transition).toMatchObject({ event: 'replaced', cause: 'newer-revision', successorId: 10 });
      expect(settle(transition.submission.state, transition.event)).toBe('replaced');
    }
    expect(transitions.at(-1)).toMatchObject({ event: 'claimed', submission: { id: 10, state: 'waiting' } });
  });
});

describe('once a drop is published', () => {
  it.each<[string, SlotMember, SlotMember[], Partial<Slot>, object | null]>([
    ['what may go is left alone', WAITING, [], {}, null],
    ['what is blocked is left alone', WAITING, [other(11, { state: 'sending' })], {}, null],
    ...(['waiting', 'held', 'rejected', 'failed', 'in-doubt'] as const).map(
      (state): [string, SlotMember, SlotMember[], Partial<Slot>, object] => [
        `what is ${state} makes room for a newer revision`,
        { ...WAITING, state },
        [revision(12, 2)],
        {},
        { event: 'replaced', cause: 'newer-revision', successorId: 12 },
      ],
    ),
    ...(['sending', 'accepted', 'replaced'] as const).map(
      (state): [string, SlotMember, SlotMember[], Partial<Slot>, null] => [
        `what is ${state} stays beside a newer revision`,
        { ...WAITING, state },
        [revision(12, 2)],
        {},
        null,
      ],
    ),
    [
      'an earlier step stays',
      { ...WAITING, state: 'rejected' },
      [revision(12, 2)],
      { supersedes: false },
      null,
    ],
    [
      'what is older than something accepted is held',
      WAITING,
      [other(11, { state: 'accepted', occurredAt: LATER })],
      {},
      { event: 'guarded', cause: 'out-of-order' },
    ],
    [
      'what a person overrode is not',
      { ...WAITING, overrides: 'all' },
      [other(11, { state: 'accepted', occurredAt: LATER })],
      {},
      null,
    ],
    [
      'what is about a learner on hold is held',
      WAITING,
      [],
      { hold: { probeId: null } },
      { event: 'guarded', cause: 'learner-unknown' },
    ],
    [
      'what is not waiting is not held',
      { ...WAITING, state: 'rejected' },
      [],
      { hold: { probeId: null } },
      null,
    ],
  ])('%s', (_, candidate, peers, changed, transition) => {
    const becomes = afterPublication(slotOf([candidate, ...peers], changed), candidate);
    if (transition === null) expect(becomes).toBeNull();
    else expect(becomes).toMatchObject({ ...transition, submission: { id: 10, state: candidate.state } });
  });
});

describe('a rerun', () => {
  const rejected: SlotMember = { ...WAITING, state: 'rejected' };

  it.each<[string, SlotMember[], Partial<Slot>, object | null]>([
    ['is sent where its slot is free', [], {}, null],
    ['passes the guards', [other(11, { state: 'accepted', occurredAt: LATER })], {}, null],
    ['passes the hold of its learner', [], { hold: { probeId: null } }, null],
    ['makes room for a newer revision', [revision(12, 2)], {}, { kind: 'replaced', by: 12 }],
    ['is behind one under way', [other(11, { state: 'sending' })], {}, { kind: 'behind', id: 11 }],
    [
      'is behind an older one that waits',
      [other(11, { occurredAt: EARLIER })],
      {},
      { kind: 'behind', id: 11 },
    ],
    ['is not behind a newer one that waits', [other(11, { occurredAt: LATER })], {}, null],
    [
      'is not behind one that a guard will hold when its turn comes',
      [other(11, { occurredAt: EARLIER })],
      { hold: { probeId: null } },
      null,
    ],
  ])('%s', (_, peers, changed, obstacle) => {
    expect(obstacleTo(slotOf([rejected, ...peers], changed), rejected)).toEqual(obstacle);
  });
});

test('a blocked row would go in its turn, a held row would not', () => {
  expect(wouldGo(slotOf([WAITING, other(11, { state: 'sending' })]), WAITING)).toBe(true);
  expect(wouldGo(slotOf([WAITING], { hold: { probeId: null } }), WAITING)).toBe(false);
});

test('a waiting row is behind the rows under way and those with priority', () => {
  expect(behind(slotOf([WAITING, other(11, { occurredAt: EARLIER })]), WAITING)).toBe(11);
  expect(behind(slotOf([WAITING, other(11, { state: 'sending', occurredAt: LATER })]), WAITING)).toBe(11);
  expect(behind(slotOf([WAITING, other(11, { occurredAt: LATER })]), WAITING)).toBeNull();
});
