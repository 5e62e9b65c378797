import { describe, expect, it } from 'vitest';
import { collected } from '../../src/domain/process/series.js';
import { readBooks } from '../../src/ledger/books/read-books.js';
import { recordChange } from '../../src/ledger/drops/arrived-files.js';
import type { Ledger } from '../../src/ledger/store/query.js';
import { applyDrop } from '../../src/ledger/submissions/staging/apply-drop.js';
import { deliverNext, UNKNOWN_LEARNER } from '../support/staged-ledger.js';
import { pushLease } from './delivery.js';
import { ENGINES } from './engines.js';
import { publishedDrop } from './staged-drop.js';
import { runUnderWay } from './under-way.js';

async function statesOf(ledger: Ledger) {
  const { states } = await readBooks(ledger, {});
  return Object.fromEntries(Object.entries(states).filter(([, count]) => count > 0));
}

describe.each(ENGINES)('on $name', ({ open }) => {
  it('an unsent revision is replaced once a newer one is applied, however often that happens', async () => {
    const { ledger } = await open();
    await publishedDrop(ledger, 'a.csv', [{ percentile: 70 }, { content: 'C-2' }]);
    const dropId = await publishedDrop(ledger, 'b.csv', [{ percentile: 80 }]);
    const before = await statesOf(ledger);
    for (const _ of ['first', 'again']) {
      await collected(applyDrop(ledger, dropId, null));
      expect(await statesOf(ledger)).toEqual({ ...before, waiting: 2, replaced: 1 });
    }
  });

  it('rows of a learner whom the platform does not know are held once their drop is applied', async () => {
    const { ledger } = await open();
    await publishedDrop(ledger, 'a.csv', [{}]);
    const runId = await runUnderWay(ledger);
    await deliverNext(ledger, await pushLease(ledger, runId), runId, UNKNOWN_LEARNER, 400);
    const before = await statesOf(ledger);
    const dropId = await publishedDrop(ledger, 'b.csv', [{ content: 'C-2' }, { user: 'bea@x.example' }]);
    expect(await statesOf(ledger)).toEqual({ ...before, waiting: 2 });
    await collected(applyDrop(ledger, dropId, runId));
    expect(await statesOf(ledger)).toEqual({ ...before, waiting: 1, held: (before.held ?? 0) + 1 });
  });

  it('a run that finds a file changed lists its drop, and the time of the first finding stays', async () => {
    const { ledger, clock } = await open();
    const dropId = await publishedDrop(ledger, 'a.csv', [{}]);
    const changes = async (runId?: number) => {
      const { files } = await readBooks(ledger, runId === undefined ? {} : { runId });
      return files.map((file) => [file.drop, file.isTaken, file.changedAt]);
    };
    expect(await changes()).toEqual([[dropId, true, null]]);
    const runId = await runUnderWay(ledger);
    const firstAt = new Date(clock.nowMs()).toISOString();
    for (const _ of ['first', 'again']) {
      await recordChange(ledger, dropId, runId);
      await clock.pass(1_000);
    }
    expect(await changes(runId)).toEqual([[dropId, false, firstAt]]);
  });
});
