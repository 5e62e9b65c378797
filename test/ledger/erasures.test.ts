import { describe, expect, it } from 'vitest';
import { recordAnswer } from '../../src/ledger/answers.js';
import { closeDecision, openDecision } from '../../src/ledger/decision-log.js';
import { keepRows, keptBlocks } from '../../src/ledger/erase-cells.js';
import {
  clearIdentifiers,
  identifiersOfForget,
  keepIdentifiers,
} from '../../src/ledger/forget-identifiers.js';
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
  const [found] = [...keptBlocks(ledger, 1)].flat();
  if (!found) throw new Error('no cells are kept');
  return found;
}

describe('cells that are kept', () => {
  it('are cleared only while a decision to erase is open', () => {
    const ledger = testLedger();
    stage(ledger, [{ user: 'a@x.org' }, { user: 'b@x.org' }]);
    const kept = block(ledger);
    expect(() => keepRows(ledger, kept, [])).toThrow(/by an erasure only/);
    const decision = openDecision(ledger, PURGE);
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
    openDecision(ledger, PURGE);
    // Longer than before: packing anew promises no other length.
    keepRows(ledger, kept, [...rows, { line: 3, cells: ['something that takes more room'] }]);
    keepRows(ledger, kept, []);
    expect(() => keepRows(ledger, kept, rows)).toThrow(/by an erasure only/);
  });
});

describe('the identifiers of a person who is being forgotten', () => {
  const FORGET = { ...PURGE, kind: 'forget' } as const;

  it('are kept only with an open decision to forget, and it closes only once they are gone', () => {
    const ledger = testLedger();
    const purge = openDecision(ledger, PURGE);
    expect(() => keepIdentifiers(ledger, purge, ['a@x.org'])).toThrow(/while a forget is carried out/);
    const decision = openDecision(ledger, FORGET);
    keepIdentifiers(ledger, decision, ['a@x.org', '4711']);
    keepIdentifiers(ledger, decision, ['a@x.org']);
    expect(identifiersOfForget(ledger, decision)).toEqual(['4711', 'a@x.org']);
    expect(() => closeDecision(ledger, decision)).toThrow(/identifiers that it looked for/);
    clearIdentifiers(ledger, decision);
    closeDecision(ledger, decision);
    expect(() => keepIdentifiers(ledger, decision, ['a@x.org'])).toThrow(/while a forget is carried out/);
  });

  it('are cleared, never rewritten', () => {
    const ledger = testLedger();
    keepIdentifiers(ledger, openDecision(ledger, FORGET), ['a@x.org']);
    expect(() => ledger.sqlite.exec("update forget_identifier set identifier = 'b@x.org'")).toThrow(
      /never rewritten/,
    );
  });
});

it('an answer that comes after its record was erased counts, and its words are not kept', () => {
  const ledger = testLedger();
  const { runId } = stage(ledger, [{ user: 'a@x.org' }]);
  const lease = mustLease(ledger, 'push:main');
  const claimed = claimNext(ledger, lease, runId);
  const attempt = claimed?.attemptId ?? 0;
  recordAnswer(ledger, attempt, answerOf(SILENCE), { ...TEST_POLICY, onUnknown: 'hold' }, runId);
  const hers = rowsOfLearner(ledger, keyMaker(ledger.salt).learner('Email', 'a@x.org'));
  const decision = openDecision(ledger, { ...PURGE, kind: 'forget' });
  expect(forgetSubmissions(ledger, decision, hers)).toMatchObject({ dismissed: 1, records: 1 });

  recordAnswer(ledger, attempt, answerOf(ACCEPTED), TEST_POLICY, runId);
  expect(submission(ledger, 1)).toMatchObject({ state: 'accepted', record: null });
  expect(ledger.sqlite.prepare('select * from response_text').all()).toEqual([]);
});
