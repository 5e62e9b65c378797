import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../../src/domain/clock.js';
import { correctedDropIds, firstDrops } from '../../../../src/ledger/drops/again/redrop-rows.js';
import { lineageOf, openMembers } from '../../../../src/ledger/submissions/again/lineage.js';
import { stageContent } from '../../../staging/staging-bench.js';
import { csvOf, exportRow } from '../../../support/exports.js';
import { redropOf } from '../../../support/redrop-of.js';
import { testLedger } from '../../../support/staged-ledger.js';

/** An invalid row and a good one; the first corrected, wrongly at first. */
async function correctedTwice() {
  const ledger = testLedger(systemClock());
  await stageContent(ledger, csvOf([exportRow(1, { email: 'nobody' }), exportRow(2)]));
  await stageContent(ledger, await redropOf(ledger, 1, [{ of: 2, row: exportRow(1, { email: 'no one' }) }]));
  await stageContent(ledger, await redropOf(ledger, 2, [{ of: 2, row: exportRow(1) }]));
  return ledger;
}

describe('the lineage of a row', () => {
  it('is the row as it was first read and all its corrections, whichever of them is asked about', async () => {
    const ledger = await correctedTwice();
    const lineage = await lineageOf(ledger, { dropId: 1, line: 2 });
    expect(lineage).toMatchObject([
      {
        dropId: 1,
        line: 2,
        disposition: 'invalid',
        corrects: null,
        submissions: [],
        resolution: { submissionId: null, row: { dropId: 2, line: 2 } },
      },
      {
        dropId: 2,
        line: 2,
        disposition: 'invalid',
        corrects: { dropId: 1, line: 2 },
        resolution: { submissionId: 2, row: null },
      },
      {
        dropId: 3,
        line: 2,
        disposition: 'staged',
        corrects: { dropId: 2, line: 2 },
        submissions: [{ submissionId: 2, state: 'waiting', successorId: null }],
        resolution: null,
      },
    ]);
    for (const dropId of [2, 3]) expect(await lineageOf(ledger, { dropId, line: 2 })).toEqual(lineage);
    expect(await firstDrops(ledger, 3)).toEqual(new Map([[2, 1]]));
    expect(await correctedDropIds(ledger, 3)).toMatchObject([{ ofId: 2, firstId: 1 }]);
  });

  it('of a row without corrections is that row, and of a missing row is empty', async () => {
    const ledger = await correctedTwice();
    expect(await lineageOf(ledger, { dropId: 1, line: 3 })).toMatchObject([
      { disposition: 'staged', corrects: null },
    ]);
    expect(await lineageOf(ledger, { dropId: 1, line: 9 })).toEqual([]);
    expect(await firstDrops(ledger, 1)).toEqual(new Map());
  });

  it('has open what is neither resolved nor done with', async () => {
    const ledger = await correctedTwice();
    const open = await openMembers(ledger, { dropId: 1, line: 2 }, null);
    const submission = { id: 2, state: 'waiting', cause: null, lastStatus: null };
    expect(open).toEqual([{ kind: 'submission', dropId: 3, line: 2, submission, isDone: false }]);
  });
});
