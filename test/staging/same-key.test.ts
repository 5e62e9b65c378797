import { describe, expect, it } from 'vitest';
import { systemClock } from '../../src/domain/clock.js';
import { imbalances } from '../../src/ledger/books/balance/imbalances.js';
import { releaseLease } from '../../src/ledger/leases/leases.js';
import type { Ledger } from '../../src/ledger/store/query.js';
import { type CorrectedRow, correctedFileOf } from '../support/corrected-file-of.js';
import { csvOf, DEFAULT_COLUMNS, exportRow, exportRows } from '../support/exports.js';
import { lives, rowAt } from '../support/ledger-trace.js';
import { restage } from '../support/restage.js';
import { sheetsOf } from '../support/sheets-of.js';
import { ACCEPTED, deliverNext, mustLease, testLedger } from '../support/staged-ledger.js';
import {
  ASK,
  BEST,
  expectDecisionOrBest,
  LAST,
  LOWER,
  NEEDS_DECISION,
  scored,
  sent,
  staged,
} from './same-key-setup.js';
import { checkCorrections, sourceOf, stageContent, stageSheets } from './staging-bench.js';

/** Returns corrected rows of drop 1. Gives what a dry run says of each. */
async function returned(ledger: Ledger, rows: readonly CorrectedRow[]): Promise<string[]> {
  const content = await correctedFileOf(ledger, 1, rows);
  const { corrections, issues } = await checkCorrections(ledger, content);
  await stageContent(ledger, content);
  expect(await imbalances(ledger)).toEqual([]);
  return corrections.flatMap((sheet) =>
    sheet.rows.map(({ line, disposition }) =>
      [disposition, ...issues.flatMap((issue) => (issue.line === line ? [issue.code] : []))].join(' '),
    ),
  );
}

async function acceptAll(ledger: Ledger): Promise<void> {
  const lease = await mustLease(ledger, 'push:main');
  while ((await lives(ledger)).some(({ state }) => state === 'waiting'))
    await deliverNext(ledger, lease, 1, ACCEPTED);
  await releaseLease(ledger, lease);
}

describe('rows of one file with one key and another score', () => {
  it('need a decision, or the best counts: a retake that went worse, no score, three tries, one repeated', () =>
    expectDecisionOrBest([
      ['a retake that went worse', [90, 40], ['staged', LOWER], '90 waiting'],
      ['a score and none', [90, null], ['staged', LOWER], '90 waiting'],
      ['three tries', [40, 90, 60], [LOWER, 'staged', LOWER], '90 waiting'],
      ['the other repeated', [40, 90, 40], [LOWER, 'staged', LOWER], '90 waiting'],
    ]));

  it('replace each other where the last counts, as they did', async () => {
    const ledger = testLedger(systemClock());
    expect(await staged(ledger, csvOf(scored(90, 40)), LAST)).toEqual(['staged', 'amended']);
    expect(await sent(ledger)).toEqual(['90 replaced', '40 waiting']);
  });

  it('are no contradiction where they are exact repeats, or differ in the time', async () => {
    const ledger = testLedger(systemClock());
    const other = exportRow(1, { at: '2024-06-01 08:00:00', score: 40 });
    expect(await staged(ledger, csvOf([...scored(90, 90), other]))).toEqual([
      'staged',
      'duplicate',
      'staged',
    ]);
  });

  it('are found over batches, however far from each other, and after an interruption', async () => {
    const rows = [...scored(90), ...exportRows(2_100, 10), ...scored(40)];
    const usual = testLedger(systemClock());
    await stageContent(usual, csvOf(rows));
    const ledger = testLedger(systemClock());
    const stop = new AbortController();
    const listen = ({ kind }: { kind: string }) => kind === 'rows' && stop.abort();
    expect((await stageContent(ledger, csvOf(rows), { stop: stop.signal, listen })).kind).toBe('interrupted');
    await stageContent(ledger, csvOf(rows));
    for (const one of [usual, ledger]) {
      expect((await rowAt(one, 1, 2)).issues[0]?.message).toContain('is 90 here and 40 on line 2103');
      expect((await rowAt(one, 1, 2_103)).issues[0]?.message).toContain('is 40 here and 90 on line 2');
      expect(await imbalances(one)).toEqual([]);
    }
  });

  it('bring nothing when the same bytes come again', async () => {
    const ledger = testLedger(systemClock());
    await staged(ledger, csvOf(scored(90, 40)));
    expect((await stageContent(ledger, csvOf(scored(90, 40)))).kind).toBe('repeated');
  });

  it('keep no trace of a score that was left out of a record that is none now', async () => {
    const ledger = testLedger(systemClock());
    const source = sourceOf({ scoreUnreadable: 'left-out' });
    const odd = csvOf(scored(90, 40)).replace(',40,', ',B+,');
    expect(await staged(ledger, odd, source)).toEqual([NEEDS_DECISION, NEEDS_DECISION]);
  });
});

describe('beside rows of an earlier file', () => {
  it('a later file amends, whatever the rule', async () => {
    for (const source of [ASK, BEST, LAST]) {
      const ledger = testLedger(systemClock());
      await staged(ledger, csvOf(scored(90)), source);
      expect(await staged(ledger, csvOf(scored(40)), source)).toEqual(['amended']);
      expect(await sent(ledger)).toEqual(['90 replaced', '40 waiting']);
    }
  });

  it('a row that repeats what was delivered stays a duplicate, and the other one needs a decision', async () => {
    for (const scores of [
      [90, 40],
      [40, 90],
    ]) {
      const ledger = testLedger(systemClock());
      await staged(ledger, csvOf(scored(90)));
      await acceptAll(ledger);
      const became = scores.map((score) => (score === 90 ? 'duplicate' : NEEDS_DECISION));
      expect(await staged(ledger, csvOf(scored(...scores)))).toEqual(became);
      expect(await sent(ledger)).toEqual(['90 accepted']);
    }
  });

  it('the best of the file counts: it is a duplicate, or it amends', async () => {
    const known = testLedger(systemClock());
    await staged(known, csvOf(scored(90)), BEST);
    expect(await staged(known, csvOf(scored(40, 90)), BEST)).toEqual([LOWER, 'duplicate']);
    expect(await sent(known)).toEqual(['90 waiting']);
    const lower = testLedger(systemClock());
    await staged(lower, csvOf(scored(40)), BEST);
    expect(await staged(lower, csvOf(scored(40, 60, 90)), BEST)).toEqual(['duplicate', LOWER, 'amended']);
    expect(await sent(lower)).toEqual(['40 replaced', '90 waiting']);
  });
});

describe('over the sheets of a table', () => {
  const HEADER = Object.values(DEFAULT_COLUMNS);
  const line = (score: number) => Object.values(exportRow(1, { score }));
  const SHEETS = { sheets: ['*'], dateOrder: 'day-first', scale: '0-100' };

  it.each([
    ['ask', 40, 'invalid', ['90 waiting']],
    ['best', 40, 'skipped', ['90 waiting']],
    ['best', 95, 'amended', ['90 replaced', '95 waiting']],
    ['last', 40, 'amended', ['90 replaced', '40 waiting']],
  ])('%s: a later sheet that has %j', async (sameKey, score, became, delivered) => {
    const ledger = testLedger(systemClock());
    const source = sourceOf({ ...SHEETS, sameKey });
    const content = sheetsOf({ January: [HEADER, line(90)], February: [HEADER, line(score)] });
    await stageSheets(ledger, content, { source });
    const row = await rowAt(ledger, 2, 2);
    expect(row.disposition).toBe(became);
    if (became !== 'amended') expect(row.issues[0]?.message).toContain('90 on line 2 of sheet January');
    expect(await sent(ledger)).toEqual(delivered);
    expect(await imbalances(ledger)).toEqual([]);
  });
});

describe('once a person decides', () => {
  it('that the best or the last counts, reading the file again delivers it', async () => {
    for (const [source, counts, delivered] of [
      [BEST, { made: 1, skipped: 1 }, ['90 waiting']],
      [LAST, { made: 2, skipped: 0 }, ['90 replaced', '40 waiting']],
    ] as const) {
      const ledger = testLedger(systemClock());
      await staged(ledger, csvOf(scored(90, 40)));
      expect(await restage(ledger, 1, ASK)).toMatchObject({ open: 2, made: 0, still: 2 });
      expect(await restage(ledger, 1, source)).toMatchObject({ open: 2, still: 0, ...counts });
      expect(await sent(ledger)).toEqual(delivered);
      expect(await imbalances(ledger)).toEqual([]);
    }
  });

  it('a row that was no record before needs a decision beside the one that counts already', async () => {
    const ledger = testLedger(systemClock());
    const rows = [exportRow(1, { score: 90 }), exportRow(1, { score: 40, status: 'Waved through' })];
    expect(await staged(ledger, csvOf(rows))).toEqual(['staged', 'invalid status-unknown']);
    const status = { completed: ['waved through'] };
    const still = await restage(ledger, 1, sourceOf({ status }));
    expect(still).toMatchObject({ open: 1, still: 1, issues: [{ line: 3, code: 'same-key-differs' }] });
    expect(await restage(ledger, 1, sourceOf({ status, sameKey: 'best' }))).toMatchObject({ skipped: 1 });
    expect(await sent(ledger)).toEqual(['90 waiting']);
  });

  it('a returned file with one of the rows corrected delivers it, and both need a decision again', async () => {
    const ledger = testLedger(systemClock());
    await staged(ledger, csvOf(scored(90, 40)));
    const of = (line: number, score: number) => ({ of: line, row: exportRow(1, { score }) });
    expect(await returned(ledger, [of(2, 91), of(3, 41)])).toEqual([NEEDS_DECISION, NEEDS_DECISION]);
    expect(await returned(ledger, [of(3, 40)])).toEqual(['skipped not-corrected']);
    expect(await sent(ledger)).toEqual([]);
    expect(await returned(ledger, [of(3, 42)])).toEqual(['staged']);
    expect(await sent(ledger)).toEqual(['42 waiting']);
    // The other row of that file must not take the place of what a person chose.
    expect(await restage(ledger, 1, ASK)).toMatchObject({ open: 1, still: 1 });
  });

  it('rows that are corrected to say the same are delivered once', async () => {
    const ledger = testLedger(systemClock());
    await staged(ledger, csvOf(scored(90, 40)));
    const of = (line: number, score: number) => ({ of: line, row: exportRow(1, { score }) });
    expect(await returned(ledger, [of(2, 95), of(3, 95)])).toEqual(['staged', 'duplicate']);
    expect(await sent(ledger)).toEqual(['95 waiting']);
  });

  it('a row that is corrected to say what the other does is delivered, and a restage closes the other', async () => {
    const ledger = testLedger(systemClock());
    await staged(ledger, csvOf(scored(90, 40)));
    const of = (line: number) => ({ of: line, row: exportRow(1, { score: 90 }) });
    expect(await returned(ledger, [of(3), of(2)])).toEqual(['staged', 'skipped not-corrected']);
    expect(await restage(ledger, 1, ASK)).toMatchObject({ open: 1, repeated: 1, still: 0 });
    expect(await sent(ledger)).toEqual(['90 waiting']);
  });
});
