import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/domain/clock.js';
import { bytesOnDisk } from '../../support/bytes-on-disk.js';
import { csvOf, exportRow, exportRows, workbookOf } from '../../support/exports.js';
import { lives } from '../../support/ledger-trace.js';
import { randomExport } from '../../support/random-exports.js';
import { samples } from '../../support/samples.js';
import { testLedger } from '../../support/staged-ledger.js';
import { checkContent, dispositionsOf, sourceOf, stageContent } from '../staging-bench.js';

describe('a dry run', () => {
  it.each(['ask', 'best', 'last'])(
    'gives the dispositions that staging gives, whatever the ledger knows and the file repeats: %s',
    async (sameKey) => {
      const ledger = testLedger(systemClock());
      const source = sourceOf({ sameKey });
      await fc.assert(
        fc.asyncProperty(randomExport, async (rows) => {
          const content = csvOf(rows);
          const checked = await checkContent(ledger, content, ledger, source);
          const staged = await stageContent(ledger, content, { source });
          // The same bytes may come twice from a generator.
          if (staged.kind === 'repeated') return;
          expect(checked.dispositions).toEqual(dispositionsOf(staged));
        }),
        { numRuns: samples(40) },
      );
    },
  );

  it('shows the requests that would be sent, under the keys they would have', async () => {
    const ledger = testLedger(systemClock());
    const { records } = await checkContent(ledger, csvOf([exportRow(1), exportRow(2)]));
    await stageContent(ledger, csvOf([exportRow(1), exportRow(2)]));
    expect(records.map(({ key }) => key)).toEqual((await lives(ledger)).map(({ key }) => key));
    expect(records.map(({ line }) => line)).toEqual([2, 3]);
  });

  it('without a ledger still finds what the file itself repeats', async () => {
    const ledger = testLedger(systemClock());
    const rows = [exportRow(1), exportRow(1), exportRow(1, { score: 99 })];
    const source = sourceOf({ sameKey: 'last' });
    expect((await checkContent(ledger, csvOf(rows), null, source)).dispositions).toMatchObject({
      staged: 1,
      duplicate: 1,
      amended: 1,
    });
  });

  it('writes nothing', async () => {
    const ledger = testLedger(systemClock());
    const before = bytesOnDisk(ledger);
    await checkContent(ledger, workbookOf(exportRows(3)));
    expect(bytesOnDisk(ledger)).toBe(before);
  });
});
