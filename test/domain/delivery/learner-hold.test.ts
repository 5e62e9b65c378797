import { describe, expect, it, test } from 'vitest';
import type { Intent } from '../../../src/domain/delivery/intent.js';
import {
  type HeldRow,
  heldWithLearner,
  isOnHold,
  rechecked,
  releasedWithLearner,
} from '../../../src/domain/delivery/learner-hold.js';
import { type State, settle } from '../../../src/domain/submission.js';

const WHO = { environment: 'main', learner: 7 };

test('a hold holds all submissions but the probe', () => {
  expect(isOnHold(null, 1)).toBe(false);
  expect(isOnHold({ probeId: null }, 1)).toBe(true);
  expect(isOnHold({ probeId: 2 }, 1)).toBe(true);
  expect(isOnHold({ probeId: 1 }, 1)).toBe(false);
});

test('a refused learner holds waiting rows, overridden ones too', () => {
  const [transition] = heldWithLearner([{ id: 1, state: 'waiting' }]);
  expect(transition).toEqual({
    kind: 'transition',
    submission: { id: 1, state: 'waiting' },
    event: 'guarded',
    cause: 'learner-unknown',
  });
});

test('the end of a hold releases what was held and what was refused for the learner', () => {
  const rows = [
    { id: 1, state: 'held' },
    { id: 2, state: 'rejected' },
  ] as const;
  const transitions = releasedWithLearner(rows);
  expect(transitions.map(({ submission, cause }) => [submission, cause])).toEqual([
    [rows[0], 'learner-accepted'],
    [rows[1], 'learner-accepted'],
  ]);
  for (const { submission, event } of transitions) expect(settle(submission.state, event)).toBe('waiting');
});

describe('a recheck', () => {
  const row = (id: number, wouldGo = true): HeldRow => ({ id, state: 'held', wouldGo });

  it.each<[string, State | null, HeldRow[], string[]]>([
    ['probes with the oldest', null, [row(1), row(2)], ['probe-learner 1', 'transition 1']],
    [
      'passes over what another guard holds',
      null,
      [row(1, false), row(2)],
      ['probe-learner 2', 'transition 2'],
    ],
    ['waits where every one is held by another guard', null, [row(1, false)], []],
    ['waits for one that waits', 'waiting', [row(1)], []],
    ['waits for one under way', 'sending', [row(1)], []],
    ['probes again once that was refused', 'rejected', [row(1)], ['probe-learner 1', 'transition 1']],
    ['ends the hold where nothing is left behind it', 'dismissed', [], ['lift-hold 7']],
  ])('%s', (_, probe, rows, expected) => {
    expect(rechecked(WHO, probe, rows).map(intentText)).toEqual(expected);
  });

  it('moves the probe by its release', () => {
    expect(rechecked(WHO, null, [row(1)])).toEqual([
      { kind: 'probe-learner', ...WHO, submissionId: 1 },
      { kind: 'transition', submission: { id: 1, state: 'held' }, event: 'released', cause: 'recheck' },
    ]);
  });
});

function intentText(intent: Intent): string {
  if (intent.kind === 'probe-learner') return `${intent.kind} ${intent.submissionId}`;
  if (intent.kind === 'lift-hold') return `${intent.kind} ${intent.learner}`;
  return intent.kind === 'transition' ? `${intent.kind} ${intent.submission.id}` : intent.kind;
}
