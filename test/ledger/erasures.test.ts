import { describe, expect, it } from 'vitest';
import { recordAnswer } from '../../src/ledger/answers.js';
import { closeDecision } from '../../src/ledger/decision-log.js';
import { keepRows, keptBlocksAfter } from '../../src/ledger/erase-cells.js';
import { beginErasure, unfinishedErasures } from '../../src/ledger/erasures.js';
import { forgetSubmissions, rowsOfLearner } from '../../src/ledger/forgetting.js';
import { keyMaker } from '../../src/ledger/keys.js';
import type { Ledger } from '../../src/ledger/query.js';
import { rowsOfBlock } from '../../src/ledger/row-blocks.js';
import { decider } from '../support/decider.js';
import {
  ACCEPTED,
  answerOf,
  claimNext,
  mustLease,
  SILENCE,
  stage,
  submission,
  TEST_POLICY,
  testLedger,
} from '../support/staged-ledger.js';

const PURGE = { kind: 'purge', who: decider('test'), because: null, selection: { before: 'x' } } as const;

function block(ledger: Ledger) {
  const [found] = keptBlocksAfter(ledger, { dropId: 0, firstLine: 0 }, 1);
  if (!found) throw new Error('no cells are kept');
  return found;
}

describe('cells that are kept', () => {
  it('are cleared only while a decision to erase is open', () => {
    const ledger = testLedger();
    stage(ledger, [{ user: 'a@x.org' }, { user: 'b@x.org' }]);
    const kept = block(ledger);
    expect(() => keepRows(ledger, kept, [])).toThrow(/by an erasure only/);
    const decision = beginErasure(ledger, PURGE);
    keepRows(ledger, kept, rowsOfBlock(ledger, kept).slice(1));
    expect(rowsOfBlock(ledger, kept).map(({ line }) => line)).toEqual([3]);
    closeDecision(ledger, decision);
    expect(() => keepRows(ledger, kept, [])).toThrow(/by an erasure only/);
  });

  it('may take more room when some of them go, and never come back when all have gone', () => {
    const ledger = testLedger();
    stage(ledger, [{ user: 'a@x.org' }]);
    const kept = block(ledger);
    const rows = rowsOfBlock(ledger, kept);
    beginErasure(ledger, PURGE);
    // Longer than before: packing anew promises no other length.
    keepRows(ledger, kept, [...rows, { line: 3, cells: ['something that takes more room'] }]);
    keepRows(ledger, kept, []);
    expect(() => keepRows(ledger, kept, rows)).toThrow(/by an erasure only/);
  });
});

it('an erasure that was begun and not finished goes on under its own decision, another one gets a new one', () => {
  const ledger = testLedger();
  const first = beginErasure(ledger, PURGE);
  expect(beginErasure(ledger, PURGE)).toBe(first);
  expect(unfinishedErasures(ledger)).toMatchObject([{ decisionId: first, kind: 'purge' }]);
  closeDecision(ledger, first);
  expect(unfinishedErasures(ledger)).toEqual([]);
  expect(beginErasure(ledger, PURGE)).toBe(first + 1);
});

it('an answer that comes after its record was erased counts, and its words are not kept', () => {
  const ledger = testLedger();
  const { runId } = stage(ledger, [{ user: 'a@x.org' }]);
  const lease = mustLease(ledger, 'push:main');
  const claimed = claimNext(ledger, lease, runId);
  const attempt = claimed?.attemptId ?? 0;
  recordAnswer(ledger, attempt, answerOf(SILENCE), { ...TEST_POLICY, onUnknown: 'hold' }, runId);
  const hers = rowsOfLearner(ledger, keyMaker(ledger.salt).learner('Email', 'a@x.org'));
  const decision = beginErasure(ledger, { ...PURGE, kind: 'forget' });
  expect(forgetSubmissions(ledger, decision, hers)).toMatchObject({ dismissed: 1, records: 1 });

  recordAnswer(ledger, attempt, answerOf(ACCEPTED), TEST_POLICY, runId);
  expect(submission(ledger, 1)).toMatchObject({ state: 'accepted', record: null });
  expect(ledger.sqlite.prepare('select * from response_text').all()).toEqual([]);
});
