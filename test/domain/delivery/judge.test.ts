import { describe, expect, it } from 'vitest';
import {
  type Admission,
  type AdmissionRule,
  admit,
  countedAs,
  type FormerRecord,
  heldWhenNew,
  type Judgement,
  judge,
  type KnownRevision,
  mayAmend,
  type RecordFacts,
} from '../../../src/domain/delivery/judge.js';
import type { OperationKind } from '../../../src/domain/operation-kind.js';

const AT = '2026-01-10T00:00:00.000Z';
const BEFORE = '2026-01-01T00:00:00.000Z';
const AFTER = '2026-02-01T00:00:00.000Z';

const known = (revision: number, content: string, changed: Partial<KnownRevision> = {}): KnownRevision => ({
  submissionId: revision,
  revision,
  content,
  state: 'waiting',
  ...changed,
});

const RULE: AdmissionRule = {
  kind: 'occurrences',
  sendAmendments: false,
  isCorrection: false,
  restoredAt: null,
};

const staged: Admission = { disposition: 'staged', revision: 1, heldFor: null };

describe('judgement by the revisions of a key', () => {
  it.each<[string, OperationKind, KnownRevision[], boolean, Judgement]>([
    ['nothing is known: staged', 'occurrences', [], false, { disposition: 'staged', revision: 1 }],
    [
      'the same is known: duplicate',
      'occurrences',
      [known(1, 'x')],
      false,
      { disposition: 'duplicate', of: 1 },
    ],
    [
      'another is known: amended',
      'occurrences',
      [known(1, 'y')],
      false,
      { disposition: 'amended', revision: 2 },
    ],
    [
      'an occurrence repeats any earlier revision',
      'occurrences',
      [known(1, 'x'), known(2, 'y')],
      false,
      { disposition: 'duplicate', of: 1 },
    ],
    [
      'a state repeats the latest alone: adding after deleting is news',
      'state',
      [known(1, 'x'), known(2, 'y')],
      false,
      { disposition: 'amended', revision: 3 },
    ],
    [
      'a step repeats the latest',
      'steps',
      [known(1, 'y'), known(2, 'x')],
      false,
      { disposition: 'duplicate', of: 2 },
    ],
    [
      'a record repeats what was replaced',
      'occurrences',
      [known(1, 'x', { state: 'replaced' }), known(2, 'y')],
      false,
      { disposition: 'duplicate', of: 1 },
    ],
    [
      'a corrected row goes back to what a correction has replaced',
      'occurrences',
      [known(1, 'x', { state: 'replaced' }), known(2, 'y')],
      true,
      { disposition: 'amended', revision: 3 },
    ],
    [
      'and repeats what was accepted all the same',
      'occurrences',
      [known(1, 'x', { state: 'accepted' }), known(2, 'y')],
      true,
      { disposition: 'duplicate', of: 1 },
    ],
  ])('%s', (_, kind, revisions, isCorrection, judgement) => {
    expect(judge('x', revisions, kind, isCorrection)).toEqual(judgement);
  });
});

describe('admission', () => {
  const former = (changed: Partial<FormerRecord>): FormerRecord => ({
    content: 'old x',
    revisions: [],
    latestAcceptedAt: null,
    ...changed,
  });
  const accepted = { state: 'accepted' } as const;

  it.each<[string, Partial<RecordFacts>, KnownRevision[], FormerRecord[], Partial<AdmissionRule>, Admission]>(
    [
      ['a new record waits', {}, [], [], {}, staged],
      ['what is known repeats it', {}, [known(1, 'x')], [], {}, { disposition: 'duplicate', of: 1 }],
      [
        'a correction of what was never accepted waits',
        {},
        [known(1, 'y')],
        [],
        {},
        { disposition: 'amended', revision: 2, heldFor: null },
      ],
      [
        'a correction of what was accepted is held',
        {},
        [known(1, 'y', accepted)],
        [],
        {},
        { disposition: 'amended', revision: 2, heldFor: 'amended' },
      ],
      [
        'unless the source sends corrections',
        {},
        [known(1, 'y', accepted)],
        [],
        { sendAmendments: true },
        { disposition: 'amended', revision: 2, heldFor: null },
      ],
      [
        'or the operation sets a state',
        {},
        [known(1, 'y', accepted)],
        [],
        { kind: 'state' },
        { disposition: 'amended', revision: 2, heldFor: null },
      ],
      [
        'what a former identifier has delivered is repeated',
        {},
        [],
        [former({ revisions: [known(7, 'old x', accepted)] })],
        {},
        { disposition: 'duplicate', of: 7 },
      ],
      [
        'what is known under its own key is repeated before that',
        {},
        [known(1, 'x')],
        [former({ revisions: [known(7, 'old x', accepted)] })],
        {},
        { disposition: 'duplicate', of: 1 },
      ],
      [
        'the second former identifier counts as the first',
        {},
        [],
        [former({}), former({ revisions: [known(7, 'old x')] })],
        {},
        { disposition: 'duplicate', of: 7 },
      ],
      [
        'a correction of what a former identifier has delivered is held',
        {},
        [],
        [former({ revisions: [known(7, 'old y', accepted)] })],
        {},
        { disposition: 'staged', revision: 1, heldFor: 'amended' },
      ],
      [
        'what is older than something a former identifier has delivered is held',
        {},
        [],
        [former({ latestAcceptedAt: AFTER })],
        {},
        { disposition: 'staged', revision: 1, heldFor: 'out-of-order' },
      ],
      ['what is as old is not', {}, [], [former({ latestAcceptedAt: AT })], {}, staged],
      ['nor what has no time', { occurredAt: null }, [], [former({ latestAcceptedAt: AFTER })], {}, staged],
      [
        'a record that takes a place repeats neither that one nor what was replaced before',
        { movedFrom: 7 },
        [],
        [former({ revisions: [known(7, 'old x'), known(8, 'old x', { state: 'replaced' })] })],
        {},
        staged,
      ],
      [
        'but any other',
        { movedFrom: 7 },
        [],
        [former({ revisions: [known(7, 'old y'), known(8, 'old x')] })],
        {},
        { disposition: 'duplicate', of: 8 },
      ],
      [
        'what a backup may not know of is held',
        {},
        [],
        [],
        { restoredAt: AFTER },
        { disposition: 'staged', revision: 1, heldFor: 'restored' },
      ],
      [
        'as a correction it is held for that',
        {},
        [known(1, 'y', accepted)],
        [],
        { restoredAt: AFTER },
        { disposition: 'amended', revision: 2, heldFor: 'amended' },
      ],
    ],
  )('%s', (_, record, revisions, formers, rule, admission) => {
    const judged: RecordFacts = { content: 'x', occurredAt: AT, ...record };
    expect(admit(judged, revisions, formers, { ...RULE, ...rule })).toEqual(admission);
  });

  it.each<[string, string | null, string | null, string | null]>([
    ['no backup holds nothing', AT, null, null],
    ['what was completed before the backup is held', BEFORE, AT, 'restored'],
    ['what was completed as it was restored is held', AT, AT, 'restored'],
    ['what has no time is held', null, AT, 'restored'],
    ['what was completed since is not', AFTER, AT, null],
  ])('%s', (_, occurredAt, restoredAt, cause) => {
    expect(heldWhenNew(occurredAt, { ...RULE, restoredAt })).toBe(cause);
  });

  it('always sends amendments where the source says so, and where each record counts by itself', () => {
    expect(mayAmend(RULE)).toBe(false);
    expect(mayAmend({ ...RULE, sendAmendments: true })).toBe(true);
    expect(mayAmend({ ...RULE, kind: 'state' })).toBe(true);
    expect(mayAmend({ ...RULE, kind: 'steps' })).toBe(true);
  });
});

describe('a row of several records', () => {
  const record = (disposition: 'staged' | 'amended', revision: number): Judgement => ({
    disposition,
    revision,
  });
  const repeat = (of: number): Judgement => ({ disposition: 'duplicate', of });

  it.each<[string, [Judgement, ...Judgement[]], Judgement]>([
    ['is staged where any is', [repeat(1), record('amended', 2), record('staged', 1)], record('staged', 1)],
    ['is amended where any is', [repeat(1), record('amended', 2)], record('amended', 2)],
    ['is a duplicate of what its first one repeats', [repeat(1), repeat(2)], repeat(1)],
  ])('%s', (_, records, counted) => {
    expect(countedAs(records)).toEqual(counted);
  });
});
