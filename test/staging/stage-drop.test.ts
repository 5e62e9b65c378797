import { describe, expect, it } from 'vitest';
import { systemClock } from '../../src/domain/clock.js';
import { endRun } from '../../src/ledger/runs.js';
import { csvOf, exportRow, exportRows } from '../support/exports.js';
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
    await stageContent(ledger, csvOf([exportRow(1, { score: 10 })]));
    await stageContent(ledger, csvOf([exportRow(1, { score: 20 })]));
    expect(states(ledger)).toEqual(['replaced', 'waiting']);
  });

  it('begins anew when the source was changed before an interrupted drop was finished', async () => {
    const ledger = testLedger(systemClock());
    const content = csvOf(exportRows(5_000));
    const stopped = await stageFirstBatch(ledger, content);
    expect(stopped.kind).toBe('interrupted');
    expect(ledger.sqlite.prepare('select staged from "drop"').pluck().get()).toBeGreaterThan(0);

    const source = sourceOf({ status: { notCompleted: ['Completed'] } });
    const result = await stageContent(ledger, content, { source });
    expect(dispositionsOf(result)).toMatchObject({ staged: 0, skipped: 5_000 });
    expect(states(ledger)).toEqual([]);
  });

  it('goes on where it stopped under the same source, and belongs to the run that finishes it', async () => {
    const ledger = testLedger(systemClock());
    const content = csvOf(exportRows(5_000));
    await stageFirstBatch(ledger, content);
    expect(dispositionsOf(await stageContent(ledger, content))).toMatchObject({
      staged: 5_000,
      'non-data': 1,
    });
    const drop = ledger.sqlite.prepare(
      'select run_id, rows_read, (select count(*) from arrival) as arrivals from "drop"',
    );
    expect(drop.get()).toEqual({ run_id: 2, rows_read: 5_001, arrivals: 1 });
  });

  it('proves the order of a date far down in the file from the whole column', async () => {
    const ledger = testLedger(systemClock());
    const content = csvOf([
      ...exportRows(3_000),
      exportRow(3_001, { at: '03/04/2024 10:00' }),
      exportRow(3_002, { at: '13/04/2024 10:00' }),
    ]);
    expect(dispositionsOf(await stageContent(ledger, content))).toMatchObject({ staged: 3_002, invalid: 0 });
    const times = ledger.sqlite.prepare('select occurred_at from submission where line = 3002').pluck();
    expect(times.get()).toBe('2024-04-03T08:00:00.000Z');
  });

  it('goes on with a drop whose order of day and month had to be proven', async () => {
    const ledger = testLedger(systemClock());
    const content = csvOf([
      ...exportRows(100),
      exportRow(0, { at: '13/04/2024 10:00' }),
      ...exportRows(4_900, 100),
    ]);
    const arrivals = ledger.sqlite.prepare('select count(*) from arrival').pluck();
    expect((await stageFirstBatch(ledger, content)).kind).toBe('interrupted');
    const before = ledger.sqlite.prepare('select staged_line from "drop"').pluck().get();
    expect(before).toBeGreaterThan(1);
    const result = await stageContent(ledger, content);
    expect(dispositionsOf(result)).toMatchObject({ staged: 5_001 });
    expect(arrivals.get()).toBe(1);
  });

  it('stages nothing that lies under a merge, of which only the end of the sheet tells', async () => {
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
    // All is declared, so that nothing but the merge asks for the end of the sheet.
    const source = sourceOf({ dateOrder: 'day-first', scale: '0-100' });
    const result = await stageContent(ledger, writeZip(workbookParts({ sheets: [sheet] })), { source });
    expect(dispositionsOf(result)).toMatchObject({ staged: 200 });
    const without = ledger.sqlite.prepare(
      "select line from submission where json_extract(record, '$.percentile') is null",
    );
    expect(without.pluck().all()).toEqual([151]);
  });

  it('writes nothing more once its lease has gone to another process', async () => {
    const ledger = testLedger(systemClock());
    const lease = mustLease(ledger, 'stage');
    ledger.sqlite.exec("update lease set token = token + 1 where name = 'stage'");
    const result = await stageContent(ledger, csvOf(exportRows(3)), { lease });
    expect(result.kind).toBe('interrupted');
    expect(ledger.sqlite.prepare('select count(*) from drop_row').pluck().get()).toBe(0);
  });
});

describe('a file that an earlier run left behind', () => {
  const GOOD = csvOf([exportRow(1)]);
  const UNREADABLE = 'nothing that has a header\nor rows\n';

  it.each([
    { content: GOOD, end: 'died', kind: 'published', arrivals: 1 },
    { content: GOOD, end: 'error', kind: 'published', arrivals: 1 },
    // Stopped, and its lease taken over.
    { content: GOOD, end: null, kind: 'published', arrivals: 1 },
    { content: UNREADABLE, end: 'died', kind: 'refused', arrivals: 1 },
    // That run was done with it, so this is another file.
    { content: GOOD, end: 'done', kind: 'repeated', arrivals: 2 },
    { content: UNREADABLE, end: 'done', kind: 'refused', arrivals: 2 },
  ] as const)('by a run that ended as $end is $kind, with $arrivals arrivals', async (given) => {
    const ledger = testLedger(systemClock());
    await stageContent(ledger, given.content);
    if (given.end !== null) endRun(ledger, 1, given.end);
    const again = await stageContent(ledger, given.content, { isLeft: true });
    expect(again.kind).toBe(given.kind);
    expect(ledger.sqlite.prepare('select count(*) from arrival').pluck().get()).toBe(given.arrivals);
  });

  it('is another one where it has another name, or lay in the inbox', async () => {
    const ledger = testLedger(systemClock());
    await stageContent(ledger, GOOD);
    endRun(ledger, 1, 'died');
    expect((await stageContent(ledger, GOOD, { isLeft: false })).kind).toBe('repeated');
    ledger.sqlite.exec(
      "insert into arrival (drop_id, run_id, file_name, arrived_at) values (1, 1, 'b.csv', '')",
    );
    expect((await stageContent(ledger, GOOD, { isLeft: true })).kind).toBe('repeated');
  });
});
