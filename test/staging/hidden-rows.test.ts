import { describe, expect, it } from 'vitest';
import { systemClock } from '../../src/domain/clock.js';
import { dropsIn } from '../../src/ledger/books/files/drop-list.js';
import { exportRow, USUAL_COLUMNS } from '../support/exports.js';
import { sheetsOf } from '../support/sheets-of.js';
import { testLedger } from '../support/staged-ledger.js';
import { stageSheets } from './staging-bench.js';

const HEADER = Object.values(USUAL_COLUMNS);
const line = (n: number, given: Parameters<typeof exportRow>[1] = {}) => {
  const { email, course, at, score, status } = exportRow(n, given);
  return [email, course, at, score, status];
};
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
    await stageSheets(ledger, OVER_TWO_BATCHES, { isLeft: true });
    expect(await dropsIn(ledger, {})).toMatchObject([{ hiddenRows: 3, dispositions: { staged: 2_100 } }]);
  });
});
