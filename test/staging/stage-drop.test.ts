import { describe, expect, it } from 'vitest';
import { systemClock } from '../../src/domain/clock.js';
import { csvOf, exportRow, exportRows } from '../support/exports.js';
import { mustLease, states, testLedger } from '../support/staged-ledger.js';
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

  it('writes nothing more once its lease has gone to another process', async () => {
    const ledger = testLedger(systemClock());
    const lease = mustLease(ledger, 'stage');
    ledger.sqlite.exec("update lease set token = token + 1 where name = 'stage'");
    const result = await stageContent(ledger, csvOf(exportRows(3)), { lease });
    expect(result.kind).toBe('interrupted');
    expect(ledger.sqlite.prepare('select count(*) from drop_row').pluck().get()).toBe(0);
  });
});
