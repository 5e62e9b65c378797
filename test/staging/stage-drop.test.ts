import { describe, expect, it } from 'vitest';
import { systemClock } from '../../src/domain/clock.js';
import { readBooks } from '../../src/ledger/books/read-books.js';
import { readState } from '../../src/ledger/books/state/read-state.js';
import { publishedDrops } from '../../src/ledger/drops/published-drops.js';
import { recordArrival } from '../../src/ledger/drops/record-arrival.js';
import { releaseLease } from '../../src/ledger/leases/leases.js';
import { beginRun, endRun } from '../../src/ledger/leases/runs.js';
import { ledgerTotals } from '../../src/ledger/store/ledger-facts.js';
import { submitCompletion } from '../../src/operations/submit-completion.js';
import { csvOf, exportRow, exportRows } from '../support/exports.js';
import { lives, traceOf } from '../support/ledger-trace.js';
import { ANOTHER } from '../support/push-bench.js';
import { mustLease, states, testLedger } from '../support/staged-ledger.js';
import { workbookParts } from '../support/workbook-parts.js';
import { writeZip } from '../support/write-zip.js';
import { dispositionsOf, sourceOf, stageContent, stageFirstBatch } from './staging-bench.js';

describe('staging', () => {
  it('counts every line of the file once, whatever it is', async () => {
    const ledger = testLedger(systemClock());
    const rows = [exportRow(1), exportRow(1), exportRow(2, { email: '' }), exportRow(3, { status: 'Open' })];
    const text = `Completions of the week\n\n${csvOf(rows)}${csvOf([])}\n`;
    const result = await stageContent(ledger, text, {
      source: sourceOf({ status: { notCompleted: ['Open'] } }),
    });
    expect(dispositionsOf(result)).toEqual({
      staged: 1,
      duplicate: 1,
      amended: 0,
      invalid: 1,
      skipped: 1,
      // The title, the header and the header again.
      'non-data': 3,
      blank: 2,
    });
  });

  it('replaces what was not sent yet by its correction, and holds a correction of what was accepted', async () => {
    const ledger = testLedger(systemClock());
    await stageContent(ledger, csvOf([exportRow(1, { score: 30 })]));
    await stageContent(ledger, csvOf([exportRow(1, { score: 20 })]));
    expect(await states(ledger)).toEqual(['replaced', 'waiting']);
  });

  it('begins again when the source was changed before an interrupted drop was finished', async () => {
    const ledger = testLedger(systemClock());
    const content = csvOf(exportRows(5_000));
    const stopped = await stageFirstBatch(ledger, content);
    expect(stopped.kind).toBe('interrupted');
    expect((await readState(ledger, ['work'])).work.staging).toHaveLength(1);

    const source = sourceOf({ status: { notCompleted: ['Completed'] } });
    const result = await stageContent(ledger, content, { source });
    expect(dispositionsOf(result)).toMatchObject({ staged: 0, skipped: 5_000 });
    expect(await states(ledger)).toEqual([]);
  });

  it('goes on where it stopped under the same source, and belongs to the run that finishes it', async () => {
    const ledger = testLedger(systemClock());
    const content = csvOf(exportRows(5_000));
    await stageFirstBatch(ledger, content);
    expect(dispositionsOf(await stageContent(ledger, content))).toMatchObject({
      staged: 5_000,
      'non-data': 1,
    });
    expect((await readBooks(ledger, { runId: 2 })).files).toMatchObject([
      { isTaken: true, rows: 5_001, repeatedArrivals: 0 },
    ]);
  });

  it('proves the order of a date far down in the file from the whole column', async () => {
    const ledger = testLedger(systemClock());
    const content = csvOf([
      ...exportRows(3_000),
      exportRow(3_001, { at: '03/04/2024 10:00' }),
      exportRow(3_002, { at: '13/04/2024 10:00' }),
    ]);
    expect(dispositionsOf(await stageContent(ledger, content))).toMatchObject({ staged: 3_002, invalid: 0 });
    const { lives } = await traceOf(ledger, '1:3002');
    expect(lives).toMatchObject([{ record: { 'completed-at': '2024-04-03T08:00:00.000Z' } }]);
  });

  it('goes on with a drop whose order of day and month had to be proven', async () => {
    const ledger = testLedger(systemClock());
    const content = csvOf([
      ...exportRows(100),
      exportRow(0, { at: '13/04/2024 10:00' }),
      ...exportRows(4_900, 100),
    ]);
    expect((await stageFirstBatch(ledger, content)).kind).toBe('interrupted');
    expect((await readState(ledger, ['work'])).work.staging).toHaveLength(1);
    const result = await stageContent(ledger, content);
    expect(dispositionsOf(result)).toMatchObject({ staged: 5_001 });
    expect((await readBooks(ledger, {})).files).toMatchObject([{ repeatedArrivals: 0 }]);
  });

  it('stages no content under a merged cell, although the sheet lists merged cells only at its end', async () => {
    const ledger = testLedger(systemClock());
    const cellsOf = (texts: readonly unknown[]) =>
      `<row>${texts.map((text) => `<c t="inlineStr"><is><t>${text}</t></is></c>`).join('')}</row>`;
    const rows = csvOf(exportRows(200))
      .trim()
      .split('\n')
      .map((line) => cellsOf(line.split(',')));
    const sheet = {
      rows: rows.join(''),
      after: '<mergeCells><mergeCell ref="D150:D151"/></mergeCells>',
    };
    // All is declared, so that nothing but the merge needs the end of the sheet.
    const source = sourceOf({ dateOrder: 'day-first', scale: '0-100' });
    const result = await stageContent(ledger, writeZip(workbookParts({ sheets: [sheet] })), { source });
    expect(dispositionsOf(result)).toMatchObject({ staged: 200 });
    const without = (await lives(ledger)).filter(({ record }) => record?.percentile === undefined);
    expect(without.map(({ line }) => line)).toEqual([151]);
  });

  it('writes nothing more once its lease has gone to another process', async () => {
    const ledger = testLedger(systemClock());
    const lease = await mustLease(ledger, 'stage');
    await releaseLease(ledger, lease);
    await mustLease(ledger, 'stage', ANOTHER);
    const result = await stageContent(ledger, csvOf(exportRows(3)), { lease });
    expect(result.kind).toBe('interrupted');
    expect(await ledgerTotals(ledger)).toMatchObject({ rows: 0, submissions: 0 });
  });
});

describe('a file that an earlier run left behind', () => {
  const GOOD = csvOf([exportRow(1)]);
  const UNREADABLE = 'nothing that has a header\nor rows\n';

  it.each([
    { content: GOOD, end: 'died', kind: 'published', repeats: 0 },
    { content: GOOD, end: 'error', kind: 'published', repeats: 0 },
    // Stopped, and its lease taken over.
    { content: GOOD, end: null, kind: 'published', repeats: 0 },
    { content: UNREADABLE, end: 'died', kind: 'refused', repeats: 0 },
    // That run was done with it, so this is another file.
    { content: GOOD, end: 'done', kind: 'repeated', repeats: 1 },
    { content: UNREADABLE, end: 'done', kind: 'refused', repeats: 0 },
  ] as const)(
    'by a run that ended as $end is $kind, and counts as come again $repeats times',
    async (earlier) => {
      const ledger = testLedger(systemClock());
      await stageContent(ledger, earlier.content);
      if (earlier.end !== null) await endRun(ledger, 1, earlier.end);
      const again = await stageContent(ledger, earlier.content, { isResumed: true });
      expect(again.kind).toBe(earlier.kind);
      const { files } = await readBooks(ledger, {});
      expect(files.map(({ repeatedArrivals }) => repeatedArrivals)).toEqual([earlier.repeats]);
    },
  );

  it('is another one where it has another name, or lay in the inbox', async () => {
    const ledger = testLedger(systemClock());
    await stageContent(ledger, GOOD);
    await endRun(ledger, 1, 'died');
    expect((await stageContent(ledger, GOOD, { isResumed: false })).kind).toBe('repeated');
    const [drop] = await publishedDrops(ledger, 1);
    if (!drop) throw new Error('nothing was published');
    const runId = await beginRun(ledger, 'manual', ANOTHER, 'test');
    const { source, sha256 } = drop;
    const file = {
      source,
      identity: { sha256, bytes: GOOD.length },
      fileName: 'b.csv',
      operation: submitCompletion.name,
      environment: 'main',
    };
    await recordArrival(ledger, { ...file, runId, isResumed: false });
    await endRun(ledger, runId, 'died');
    expect((await stageContent(ledger, GOOD, { isResumed: true })).kind).toBe('repeated');
  });
});
