import { describe, expect, it } from 'vitest';
import { acceptedRows, attentionRows, causesIn } from '../../src/ledger/attention.js';
import { attentionSamples } from '../../src/ledger/attention-samples.js';
import { attemptsIn } from '../../src/ledger/books.js';
import type { Ledger } from '../../src/ledger/query.js';
import { stage, testLedger } from '../support/staged-ledger.js';

/** What SQLite does for the statements run so far that begin like this. */
function explained(ledger: Ledger, how: 'explain' | 'explain query plan', beginning: RegExp) {
  const texts = [...ledger.statements.keys()].filter((text) => beginning.test(text));
  expect(texts).not.toHaveLength(0);
  return texts.map((text) => {
    const nothing = new Array((text.match(/\?/g) ?? []).length).fill(null);
    const steps = ledger.sqlite.prepare(`${how} ${text}`).all(...nothing) as Record<string, unknown>[];
    return steps.map((step) => step.opcode ?? step.detail).join('; ');
  });
}

describe('what staging does a million times', () => {
  it('builds no table of its own to insert a submission', () => {
    const ledger = testLedger();
    stage(ledger, [{}]);
    for (const steps of explained(ledger, 'explain', /^insert into "submission"/)) {
      expect(steps).toContain('IdxInsert');
      expect(steps).not.toContain('OpenEphemeral');
    }
  });
});

describe('what a drop of a million rows must not be gone through for', () => {
  it.each([
    ['what needs attention', /^select "s"\."state"/, 'submission_attention'],
    ['repeats', /^select coalesce\(sum\(s\.repeats/, 'submission_rare'],
    ['revisions', /^select "older"/, 'submission_rare'],
  ])('%s: an index finds it', (_, beginning, index) => {
    const ledger = testLedger();
    stage(ledger, [{}]);
    causesIn(ledger, {});
    attemptsIn(ledger, {});
    for (const plan of explained(ledger, 'explain query plan', beginning)) expect(plan).toContain(index);
  });

  it('what was answered to a row: all other answers are left alone', () => {
    const ledger = testLedger();
    const { dropId } = stage(ledger, [{}]);
    const texts: string[] = [];
    const prepare = (text: string) => {
      texts.push(text);
      return ledger.sqlite.prepare(text);
    };
    const watched = { ...ledger, sqlite: Object.assign(Object.create(ledger.sqlite), { prepare }) as never };
    Array.from(attentionRows(watched, dropId));
    Array.from(acceptedRows(watched, dropId));
    attentionSamples(watched, {}, { code: 'canary', state: 'held' }, 1);
    const asked = texts.filter((text) => text.includes('response'));
    expect(asked).toHaveLength(3);
    for (const text of asked) {
      const nothing = new Array((text.match(/\?/g) ?? []).length).fill(null);
      const steps = ledger.sqlite.prepare(`explain query plan ${text}`).all(...nothing) as {
        detail: string;
      }[];
      const ofAnswers = steps
        .map(({ detail }) => detail)
        .filter((detail) => /^(SCAN|SEARCH) p2?\b/.test(detail));
      expect(ofAnswers).not.toHaveLength(0);
      for (const step of ofAnswers) expect(step).toMatch(/^SEARCH .*(response_first|response_late|rowid=\?)/);
    }
  });
});
