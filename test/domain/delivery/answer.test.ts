import { describe, expect, it } from 'vitest';
import {
  type AnsweredAttempt,
  type AnswerMeaning,
  type AnswerPolicy,
  type AttemptedSubmission,
  answered,
  OWNER_DIED,
} from '../../../src/domain/delivery/answer.js';
import type { Transition } from '../../../src/domain/delivery/intent.js';
import type { Outcome } from '../../../src/domain/outcome.js';
import { STATES, settle } from '../../../src/domain/submission.js';

const ACCEPTED: Outcome = { kind: 'accepted', platformId: null };
const REFUSED: Outcome = { kind: 'rejected', cause: 'platform-refused', code: 'bad-request', reason: 'no' };
const UNKNOWN_LEARNER: Outcome = { kind: 'rejected', cause: 'learner-unknown', reason: 'no such learner' };
const THROTTLED: Outcome = { kind: 'throttled', reason: '429', retryAfterMs: 7_000, quota: null };
const NOT_SENT: Outcome = { kind: 'transient', reason: 'refused', retryAfterMs: null, mayBeWritten: false };
const FAILED: Outcome = { kind: 'transient', reason: 'HTTP 503', retryAfterMs: null, mayBeWritten: true };
const SILENCE: Outcome = { kind: 'unknown', cause: 'no-answer', reason: 'nothing' };
const STOP: Outcome = { kind: 'stop', reason: '401', stops: 'token' };
const STOP_WRITTEN: Outcome = { kind: 'stop', reason: 'a page', stops: 'environment', mayBeWritten: true };

const SENDING: AttemptedSubmission = {
  id: 1,
  state: 'sending',
  tries: 0,
  resends: 0,
  environment: 'main',
  learner: null,
  latestAttempt: 9,
};
const ATTEMPT: AnsweredAttempt = { attemptId: 9, isLate: false, isAlone: true };
const POLICY: AnswerPolicy = {
  maxTries: 3,
  maxResends: 2,
  onUnknown: 'resend',
  backOffMs: (sent) => sent * 1_000,
  spendTries: true,
  canary: { rows: 0, maxRejected: 0 },
};

const LATE: Partial<AnsweredAttempt> = { isLate: true };
const SPARED: Partial<AnswerPolicy> = { spendTries: false };

describe('an answer moves what was sent', () => {
  it.each<[string, Outcome, Partial<AttemptedSubmission>, Partial<AnswerPolicy>, object]>([
    ['accepted', ACCEPTED, {}, {}, { event: 'accepted', cause: null, acceptedAs: 'new', waitMs: 0 }],
    [
      'refused, and a leave was for this delivery',
      REFUSED,
      {},
      {},
      {
        event: 'rejected',
        cause: 'platform-refused',
        platformCode: 'bad-request',
        words: 'no',
        overrides: null,
      },
    ],
    [
      'throttled: no try is spent, and the quota waits, not the row',
      THROTTLED,
      {},
      {},
      { event: 'throttled', cause: 'rate-limited', waitMs: 0, spent: { tries: 0, resends: 0, repeats: 0 } },
    ],
    [
      'never sent: a try is spent, and nothing is written twice',
      NOT_SENT,
      { tries: 1 },
      {},
      { event: 'retried', cause: 'not-sent', waitMs: 2_000, spent: { tries: 1, resends: 0, repeats: 0 } },
    ],
    [
      'a passing fault that may have written it: a try and a repeat',
      FAILED,
      {},
      {},
      {
        event: 'retried',
        cause: 'platform-failed',
        waitMs: 1_000,
        spent: { tries: 1, resends: 0, repeats: 1 },
      },
    ],
    [
      'the platform requests a longer wait than ours',
      { ...FAILED, retryAfterMs: 5_000 },
      {},
      {},
      { event: 'retried', waitMs: 5_000 },
    ],
    [
      'the platform requests a shorter one',
      { ...FAILED, retryAfterMs: 5 },
      {},
      {},
      { event: 'retried', waitMs: 1_000 },
    ],
    [
      'the last try',
      FAILED,
      { tries: 2 },
      {},
      { event: 'exhausted', waitMs: 0, overrides: null, spent: { tries: 1, resends: 0, repeats: 0 } },
    ],
    [
      'silence: a resend and a repeat, no try',
      SILENCE,
      { tries: 1, resends: 1 },
      {},
      { event: 'resent', cause: 'no-answer', waitMs: 3_000, spent: { tries: 0, resends: 1, repeats: 1 } },
    ],
    [
      'silence beyond the resends',
      SILENCE,
      { resends: 2 },
      {},
      { event: 'doubted', waitMs: 0, overrides: null, spent: { tries: 0, resends: 0, repeats: 0 } },
    ],
    ['silence where nothing is resent', SILENCE, {}, { onUnknown: 'hold' }, { event: 'doubted' }],
    ['its sender died', OWNER_DIED, {}, {}, { event: 'resent', cause: 'owner-died' }],
    [
      'a stop before anything was written',
      STOP,
      { resends: 2 },
      {},
      {
        event: 'stopped',
        cause: 'platform-unusable',
        waitMs: 0,
        spent: { tries: 0, resends: 0, repeats: 0 },
      },
    ],
    [
      'a stop that may have written it waits half a minute',
      STOP_WRITTEN,
      {},
      {},
      { event: 'stopped', waitMs: 30_000, spent: { tries: 0, resends: 1, repeats: 1 } },
    ],
    ['then ten times as long', STOP_WRITTEN, { resends: 1 }, {}, { event: 'stopped', waitMs: 300_000 }],
    ['then no longer than an hour', STOP_WRITTEN, { resends: 3 }, { maxResends: 9 }, { waitMs: 3_600_000 }],
    ['and not beyond its resends', STOP_WRITTEN, { resends: 2 }, {}, { event: 'doubted' }],
    [
      'a passing fault while the environment is down spends no try',
      NOT_SENT,
      { tries: 2 },
      SPARED,
      { event: 'stopped', waitMs: 0, spent: { tries: 0, resends: 0, repeats: 0 } },
    ],
    [
      'but a resend where it may have written the row',
      FAILED,
      { tries: 2 },
      SPARED,
      { event: 'stopped', waitMs: 30_000, spent: { tries: 0, resends: 1, repeats: 1 } },
    ],
    ['and is in doubt beyond those', FAILED, { resends: 2 }, SPARED, { event: 'doubted' }],
    ['silence while it is down is resent', SILENCE, {}, SPARED, { event: 'stopped' }],
    ['and not where nothing is resent', SILENCE, {}, { ...SPARED, onUnknown: 'hold' }, { event: 'doubted' }],
    [
      'a 5xx while it is down is resent all the same',
      FAILED,
      {},
      { ...SPARED, onUnknown: 'hold' },
      { event: 'stopped' },
    ],
  ])('%s', (_, outcome, changed, policy, transition) => {
    const submission = { ...SENDING, ...changed };
    const intents = answered(submission, ATTEMPT, { outcome }, { ...POLICY, ...policy });
    expect(intents).toEqual([expect.objectContaining({ kind: 'transition', ...transition })]);
  });

  it.each<[string, AnswerMeaning, string]>([
    ['what was new', { outcome: ACCEPTED }, 'new'],
    ['what existed already', { outcome: { ...ACCEPTED, existed: true } }, 'existed'],
    ['what it revived', { outcome: { ...ACCEPTED, existed: true }, revival: 'done' }, 'revived'],
    ['what it may revive', { outcome: { ...ACCEPTED, existed: true }, revival: 'may-follow' }, 'existed'],
  ])('an acceptance records %s', (_, answer, acceptedAs) => {
    expect(answered(SENDING, ATTEMPT, answer, POLICY)).toMatchObject([{ event: 'accepted', acceptedAs }]);
  });
});

describe('a refusal of several', () => {
  const together: AnsweredAttempt = { ...ATTEMPT, isAlone: false };

  it.each<[string, ReadonlySet<number> | undefined, object]>([
    ['counts for those it names', new Set([1]), { event: 'rejected' }],
    ['lets the others wait', new Set([2]), { event: 'stopped', cause: 'refused-for-others' }],
    [
      'sends each alone where it names none',
      new Set<number>(),
      { event: 'stopped', cause: 'refused-together', nextDelivery: 'alone' },
    ],
    [
      'or where that is unknown',
      undefined,
      { event: 'stopped', cause: 'refused-together', nextDelivery: 'alone' },
    ],
  ])('%s', (_, named, transition) => {
    const answer: AnswerMeaning = named === undefined ? { outcome: REFUSED } : { outcome: REFUSED, named };
    expect(answered(SENDING, together, answer, POLICY)).toMatchObject([transition]);
  });

  it('spends neither a try nor a wait of those it does not count for', () => {
    const [transition] = answered(SENDING, together, { outcome: REFUSED, named: new Set([2]) }, POLICY);
    expect(transition).toEqual({
      kind: 'transition',
      submission: { id: 1, state: 'sending' },
      event: 'stopped',
      cause: 'refused-for-others',
    });
  });

  it('does not refuse what another request has sent since', () => {
    const since = { ...SENDING, latestAttempt: 10 };
    expect(answered(since, together, { outcome: REFUSED }, POLICY)).toEqual([]);
  });
});

describe('a refusal because it exists', () => {
  const exists: Outcome = { ...REFUSED, exists: true };

  it.each<[string, AnswerMeaning, object]>([
    [
      'is followed by a request that revives it',
      { outcome: exists, revival: 'may-follow' },
      { event: 'stopped', cause: 'exists-already', nextDelivery: 'revive' },
    ],
    ['counts where none may follow', { outcome: exists }, { event: 'rejected' }],
    ['counts where that was the one', { outcome: exists, revival: 'done' }, { event: 'rejected' }],
  ])('%s', (_, answer, transition) => {
    expect(answered(SENDING, ATTEMPT, answer, POLICY)).toMatchObject([transition]);
  });
});

describe('an answer without a waiting request', () => {
  const outcomes = [REFUSED, UNKNOWN_LEARNER, THROTTLED, NOT_SENT, FAILED, SILENCE, STOP];

  it.each<[string, Partial<AttemptedSubmission>, Partial<AnsweredAttempt>]>([
    ['because the attempt was abandoned', {}, LATE],
    ['because another request was sent since', { latestAttempt: 10 }, {}],
    ...STATES.filter((state) => state !== 'sending').map(
      (state): [string, Partial<AttemptedSubmission>, Partial<AnsweredAttempt>] => [
        `because the row is ${state}`,
        { state },
        {},
      ],
    ),
  ])('counts only when it accepts, %s', (_, changed, attempt) => {
    const submission = { ...SENDING, learner: 7, ...changed };
    for (const outcome of outcomes) {
      expect(answered(submission, { ...ATTEMPT, ...attempt }, { outcome }, POLICY)).toEqual([]);
    }
    const accepted = answered(submission, { ...ATTEMPT, ...attempt }, { outcome: ACCEPTED }, POLICY);
    expect(accepted.map((intent) => (intent.kind === 'transition' ? intent.event : intent.kind))).toEqual(
      submission.state === 'accepted' ? [] : ['accepted', 'lift-hold'],
    );
  });
});

describe('an answer about a learner', () => {
  const about = { ...SENDING, learner: 7 };
  const who = { environment: 'main', learner: 7 };

  it.each<[string, AttemptedSubmission, Outcome, object[]]>([
    ['lifts the hold when it accepts', about, ACCEPTED, [{ kind: 'lift-hold', ...who }]],
    [
      'places one when it refuses the learner',
      about,
      UNKNOWN_LEARNER,
      [{ kind: 'hold-learner', ...who, submissionId: 1 }],
    ],
    ['says nothing when it refuses the record', about, REFUSED, []],
    ['says nothing when it fails', about, FAILED, []],
    ['is none where the record names no learner', SENDING, ACCEPTED, []],
  ])('%s', (_, submission, outcome, intents) => {
    expect(answered(submission, ATTEMPT, { outcome }, POLICY).slice(1)).toEqual(intents);
  });
});

it('no answer causes a transition that the table of states does not have', () => {
  for (const outcome of [ACCEPTED, REFUSED, THROTTLED, NOT_SENT, FAILED, SILENCE, STOP, STOP_WRITTEN]) {
    for (const state of STATES) {
      for (const isLate of [true, false]) {
        const [transition] = answered(
          { ...SENDING, state },
          { ...ATTEMPT, isLate },
          { outcome },
          POLICY,
        ) as Transition[];
        if (transition) expect(settle(transition.submission.state, transition.event)).not.toBeNull();
      }
    }
  }
});
