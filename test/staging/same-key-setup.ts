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

/** Stages a file as a dry run says it will be; the books balance. Returns what became of its rows. */
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

export const ASKED = 'invalid same-key-differs';
export const LOWER = 'skipped same-key-lower';

/** Scores of one key, what becomes of their rows where the best counts, and what is sent then. */
export type Tries = [what: string, scores: (number | null)[], best: string[], sent: string];

/** What becomes of the rows where a person decides, and where the best counts, in a delimited text and a workbook. */
export async function askedOrBest(
  _: string,
  scores: readonly (number | null)[],
  best: readonly string[],
  delivered: string,
): Promise<void> {
  for (const write of [csvOf, workbookOf]) {
    const rows = [exportRow(8), ...scored(...scores), exportRow(9)];
    const asking = testLedger(systemClock());
    expect(await staged(asking, write(rows))).toEqual(['staged', ...scores.map(() => ASKED), 'staged']);
    expect(await sent(asking)).toEqual(['28 waiting', '29 waiting']);
    const taking = testLedger(systemClock());
    expect(await staged(taking, write(rows), BEST)).toEqual(['staged', ...best, 'staged']);
    expect(await sent(taking)).toEqual(['28 waiting', delivered, '29 waiting']);
  }
}
