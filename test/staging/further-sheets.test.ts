import { describe, expect, it } from 'vitest';
import { systemClock } from '../../src/domain/clock.js';
import { mapSeries } from '../../src/domain/process/series.js';
import { dropsIn } from '../../src/ledger/books/files/drop-list.js';
import { readBooks } from '../../src/ledger/books/read-books.js';
import { publishedDrops } from '../../src/ledger/drops/published-drops.js';
import type { Ledger } from '../../src/ledger/store/query.js';
import { findTraces } from '../../src/ledger/trace/read-trace.js';
import { reconcile } from '../../src/report/report.js';
import { DEFAULT_COLUMNS, exportRow } from '../support/exports.js';
import { traceOf } from '../support/ledger-trace.js';
import { restage } from '../support/restage.js';
import { type SheetLine, sheetsOf } from '../support/sheets-of.js';
import { testLedger } from '../support/staged-ledger.js';
import { sourceOf, stageSheets } from './staging-bench.js';

const HEADER = Object.values(DEFAULT_COLUMNS);
const line = (n: number, overrides: Parameters<typeof exportRow>[1] = {}) => {
  const { email, course, at, score, status } = exportRow(n, overrides);
  return [email, course, at, score, status];
};
const SETTINGS = { sheets: ['Export', 'Export (*)'], dateOrder: 'day-first', scale: '0-100' };
const source = sourceOf(SETTINGS);

/** Three rows, of which the second is invalid; then two more, and another that repeats the first. */
const sheets = (overrides: Readonly<Record<string, readonly SheetLine[]>> = {}) =>
  sheetsOf({
    Export: [HEADER, line(1), line(2, { email: 'nobody' }), line(3)],
    'Export (2)': [line(4), line(5, { email: 'no one' }), line(1)],
    'Export (3)': [HEADER, line(6)],
    ...overrides,
  });

async function drops(ledger: Ledger): Promise<unknown[]> {
  const { files } = await readBooks(ledger, {});
  const published = files.filter(({ state }) => state === 'published');
  return mapSeries(
    published,
    async ({ drop: dropId, dispositions: { staged, duplicate, invalid, ...rest } }) => {
      const [drop] = await publishedDrops(ledger, dropId);
      return [drop?.file, drop?.sheet, drop?.headerLine, staged, duplicate, invalid, rest['non-data']];
    },
  );
}

const THREE = [
  ['drop.csv', 'Export', 1, 2, 0, 1, 1],
  ['drop.csv#Export (2)', 'Export (2)', 0, 1, 1, 1, 0],
  ['drop.csv#Export (3)', 'Export (3)', 1, 1, 0, 0, 1],
];

describe('a table that goes on over several sheets', () => {
  it('is a drop for each of its sheets, read by the header of the first', async () => {
    const ledger = testLedger(systemClock());
    const results = await stageSheets(ledger, sheets(), { source });
    expect(results.map(({ kind }) => kind)).toEqual(['published', 'published', 'published']);
    expect(await drops(ledger)).toEqual(THREE);
    expect(await reconcile(ledger, {})).toMatchObject({ balanced: true, rows: 9 });
  });

  it('comes in again as a whole, and brings nothing', async () => {
    const ledger = testLedger(systemClock());
    await stageSheets(ledger, sheets(), { source });
    const again = await stageSheets(ledger, sheets(), { source });
    expect(again.map(({ kind }) => kind)).toEqual(['repeated', 'repeated', 'repeated']);
    expect(await drops(ledger)).toEqual(THREE);
  });

  it('brings the sheets that did not count when it came in before', async () => {
    const ledger = testLedger(systemClock());
    await stageSheets(ledger, sheets(), { source: sourceOf({ sheet: 'Export' }) });
    expect((await dropsIn(ledger, {}))[0]?.sheetsLeft.map(({ name }) => name)).toEqual([
      'Export (2)',
      'Export (3)',
    ]);
    const again = await stageSheets(ledger, sheets(), { source });
    expect(again.map(({ kind }) => kind)).toEqual(['repeated', 'published', 'published']);
    expect(await drops(ledger)).toEqual(THREE);
  });

  it('that was refused is imported whole once its source says which sheets count', async () => {
    const ledger = testLedger(systemClock());
    expect(await stageSheets(ledger, sheets({ 'Export (3)': [] }))).toMatchObject([{ kind: 'refused' }]);
    await stageSheets(ledger, sheets({ 'Export (3)': [] }), { source });
    expect(await drops(ledger)).toEqual(THREE.slice(0, 2));
  });

  it('goes on with the sheet that a stopped run has not come to', async () => {
    const ledger = testLedger(systemClock());
    const stop = new AbortController();
    const stopped = await stageSheets(ledger, sheets(), {
      source,
      stop: stop.signal,
      listen: ({ kind }) => kind === 'rows' && stop.abort(),
    });
    expect(stopped.at(-1)?.kind).toBe('interrupted');
    const results = await stageSheets(ledger, sheets(), { source, isResumed: true });
    expect(results.map(({ kind }) => kind)).not.toContain('interrupted');
    expect(await drops(ledger)).toEqual(THREE);
  });

  it('is found by file, sheet and line, and by its file alone', async () => {
    const ledger = testLedger(systemClock());
    await stageSheets(ledger, sheets(), { source });
    const places = async (what: string) =>
      (await findTraces(ledger, { what, learners: [], searchAll: false })).rowRefs;
    expect(await places('drop.csv#Export (2):2')).toEqual([{ dropId: 2, line: 2 }]);
    expect(await places('drop.csv:2')).toEqual([1, 2, 3].map((dropId) => ({ dropId, line: 2 })));
    expect((await publishedDrops(ledger, 'drop.csv')).map(({ dropId }) => dropId)).toEqual([1, 2, 3]);
    const { causes } = await reconcile(ledger, { fileName: 'drop.csv' });
    expect(causes).toMatchObject([
      { count: 2, drops: [{ drop: 1 }, { drop: 2, file: 'drop.csv#Export (2)' }] },
    ]);
  });

  it('is read again by what all of its sheets prove', async () => {
    const ledger = testLedger(systemClock());
    const open = { sheets: ['*'], scale: '0-100' };
    const content = sheetsOf({
      Export: [HEADER, line(1, { at: '13/04/2024 10:00' })],
      'Export (2)': [line(2, { at: '03/04/2024 10:00', status: 'Gut' })],
    });
    await stageSheets(ledger, content, { source: sourceOf(open) });
    const corrected = sourceOf({ ...open, status: { completed: ['Gut'] } });
    expect(await restage(ledger, 2, corrected)).toMatchObject({
      open: 1,
      made: 1,
    });
    const { lives } = await traceOf(ledger, '2:1');
    expect(lives).toMatchObject([{ record: { 'completed-at': '2024-04-03T08:00:00.000Z' } }]);
  });
});

describe('rows that a sheet hides', () => {
  it('are imported like the others, and counted with their drop', async () => {
    const ledger = testLedger(systemClock());
    const content = sheetsOf({
      Export: [
        ['Report'],
        { hidden: ['Filter', 'none'] },
        HEADER,
        line(1),
        { hidden: line(2) },
        { hidden: line(3, { email: 'x' }) },
      ],
    });
    await stageSheets(ledger, content);
    expect(await dropsIn(ledger, {})).toMatchObject([
      { hiddenRows: 2, dispositions: { staged: 2, invalid: 1 } },
    ]);
  });

  const OVER_TWO_BATCHES = sheetsOf({
    Export: [
      HEADER,
      ...Array.from({ length: 2_100 }, (_, n) => ([3, 4, 2_050].includes(n) ? { hidden: line(n) } : line(n))),
    ],
  });

  it('are all counted where the drop is written in several batches', async () => {
    const ledger = testLedger(systemClock());
    const batches: number[] = [];
    await stageSheets(ledger, OVER_TWO_BATCHES, {
      listen: (event) => event.kind === 'rows' && batches.push(event.rows),
    });
    expect(batches.length).toBeGreaterThan(1);
    // With the header.
    expect(batches.at(-1)).toBe(2_101);
    expect(await dropsIn(ledger, {})).toMatchObject([{ hiddenRows: 3, dispositions: { staged: 2_100 } }]);
  });

  it('are all counted where an interrupted drop is resumed', async () => {
    const ledger = testLedger(systemClock());
    const stop = new AbortController();
    const stopped = await stageSheets(ledger, OVER_TWO_BATCHES, {
      stop: stop.signal,
      listen: ({ kind }) => kind === 'rows' && stop.abort(),
    });
    expect(stopped).toEqual([{ kind: 'interrupted' }]);
    await stageSheets(ledger, OVER_TWO_BATCHES, { isResumed: true });
    expect(await dropsIn(ledger, {})).toMatchObject([{ hiddenRows: 3, dispositions: { staged: 2_100 } }]);
  });
});
