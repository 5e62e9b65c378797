import { expect } from 'vitest';
import { systemClock } from '../../src/domain/clock.js';
import { collected } from '../../src/domain/process/series.js';
import { imbalances } from '../../src/ledger/books/balance/imbalances.js';
import type { Ledger } from '../../src/ledger/store/query.js';
import { damagedRows } from '../../src/ledger/submissions/record/kept-record.js';
import { csvOf, type ExportRow, exportRow, workbookOf } from '../support/exports.js';
import { lives, rowsFrom } from '../support/ledger-trace.js';
import { testLedger } from '../support/staged-ledger.js';
import { checkContent, sourceOf, stageContent } from './staging-bench.js';

export const ASK = sourceOf();
export const BEST = sourceOf({ sameKey: 'best' });
export const LAST = sourceOf({ sameKey: 'last' });

export const scored = (...scores: readonly (number | null)[]): ExportRow[] =>
  scores.map((score) => exportRow(1, { score }));

/** Stages a file, as its dry run predicts; the books balance. Returns the outcomes of its rows. */
export async function staged(ledger: Ledger, content: string | Buffer, source = ASK): Promise<string[]> {
  const { dispositions } = await checkContent(ledger, content, ledger, source);
  const result = await stageContent(ledger, content, { source });
  if (result.kind !== 'published') throw new Error(`it was ${result.kind}`);
  expect(result.dispositions).toEqual(dispositions);
  expect(await imbalances(ledger)).toEqual([]);
  return rowsOf(ledger, result.dropId);
}

async function rowsOf(ledger: Ledger, dropId: number): Promise<string[]> {
  const rows = await rowsFrom(ledger, dropId, 2);
  return rows.map(({ disposition, issues }) => [disposition, ...issues.map(({ code }) => code)].join(' '));
}

/** What would be or was delivered, in the order of the files: each score with its state. Every record is as it was staged. */
export async function sent(ledger: Ledger): Promise<string[]> {
  const all = await lives(ledger);
  expect(await collected(damagedRows(ledger))).toEqual([]);
  const inOrder = all.toSorted((a, b) => a.drop - b.drop || a.line - b.line);
  return inOrder.map(({ record, state }) => `${record?.percentile ?? 'none'} ${state}`);
}

export const NEEDS_DECISION = 'invalid same-key-differs';
export const LOWER = 'skipped same-key-lower';

/** Scores of one key, what becomes of their rows where the best counts, and what is sent then. */
export type Tries = [what: string, scores: (number | null)[], best: string[], sent: string];

/**
 * The outcomes of rows where a person decides, and where the best counts, in a delimited text and a workbook: all tries
 * in one file, each of a learner of its own.
 */
export async function expectDecisionOrBest(tries: readonly Tries[]): Promise<void> {
  const ofTries = tries.flatMap(([, scores], n) => scores.map((score) => exportRow(20 + n, { score })));
  const rows = [exportRow(8), ...ofTries, exportRow(9)];
  /** The same list with the names of the tries, which have so many of it each. */
  const named = (all: readonly string[], count: (scores: readonly unknown[]) => number) => {
    const left = [...all];
    const [first, ...ofEach] = [
      left.shift(),
      ...tries.map(([what, scores]) => [what, ...left.splice(0, count(scores))]),
    ];
    return [first, ...ofEach, ...left];
  };
  for (const write of [csvOf, workbookOf]) {
    const asking = testLedger(systemClock());
    expect(named(await staged(asking, write(rows)), ({ length }) => length)).toEqual([
      'staged',
      ...tries.map(([what, scores]) => [what, ...scores.map(() => NEEDS_DECISION)]),
      'staged',
    ]);
    expect(await sent(asking)).toEqual(['28 waiting', '29 waiting']);
    const taking = testLedger(systemClock());
    expect(named(await staged(taking, write(rows), BEST), ({ length }) => length)).toEqual([
      'staged',
      ...tries.map(([what, , best]) => [what, ...best]),
      'staged',
    ]);
    expect(named(await sent(taking), () => 1)).toEqual([
      '28 waiting',
      ...tries.map(([what, , , delivered]) => [what, delivered]),
      '29 waiting',
    ]);
  }
}
