import { describe, expect, it } from 'vitest';
import { systemClock } from '../../src/domain/clock.js';
import type { Ledger } from '../../src/ledger/store/query.js';
import { correct } from '../support/corrected.js';
import { decide } from '../support/decide.js';
import { decider } from '../support/decider.js';
import { csvOf, exportRow, exportRows } from '../support/exports.js';
import { forget } from '../support/forget.js';
import { lives, traceOf } from '../support/ledger-trace.js';
import { select } from '../support/select.js';
import { ACCEPTED, deliverNext, mustLease, states, testLedger } from '../support/staged-ledger.js';
import { checkContent, dispositionsOf, sourceOf, stageContent, stageFirstBatch } from './staging-bench.js';

const [OLD, NEW, NEWER] = ['ada@old.example', 'ada@new.example', 'ada@newer.example'];
const oldRow = exportRow(1, { email: OLD });
const newRow = exportRow(1, { email: NEW });

async function learners(ledger: Ledger): Promise<unknown[]> {
  return (await lives(ledger)).map(({ record }) => record?.['user-id']);
}

async function stagedAndAccepted(ledger: Ledger, content: string): Promise<void> {
  await stageContent(ledger, content);
  const lease = await mustLease(ledger, 'push:main');
  while ((await states(ledger)).includes('waiting')) await deliverNext(ledger, lease, 1, ACCEPTED);
}

describe('a row of a corrected learner', () => {
  it('is staged as the learner that counts, through all corrections, and is the same row as one that names it', async () => {
    const ledger = testLedger(systemClock());
    await correct(ledger, OLD, NEW);
    await correct(ledger, NEW, NEWER);
    const rows = [oldRow, newRow, exportRow(1, { email: NEWER }), exportRow(2)];
    expect(dispositionsOf(await stageContent(ledger, csvOf(rows)))).toMatchObject({
      staged: 2,
      duplicate: 2,
    });
    expect(await learners(ledger)).toEqual([NEWER, 'learner2@example.org']);
  });

  it.each([
    ['under its old identifier', oldRow],
    ['under its new one', newRow],
  ])('is not sent again, dropped %s, where it was accepted under the old one', async (_, row) => {
    const ledger = testLedger(systemClock());
    await stagedAndAccepted(ledger, csvOf([oldRow]));
    await correct(ledger, OLD, NEW);
    const content = csvOf([row, exportRow(2, { email: OLD })]);
    expect((await checkContent(ledger, content)).dispositions).toMatchObject({ staged: 1, duplicate: 1 });
    expect(dispositionsOf(await stageContent(ledger, content))).toMatchObject({ staged: 1, duplicate: 1 });
  });

  it('corrects what was accepted under the old identifier: held, or sent where the source says so', async () => {
    for (const amendments of ['hold', 'send']) {
      const ledger = testLedger(systemClock());
      await stagedAndAccepted(ledger, csvOf([oldRow]));
      await correct(ledger, OLD, NEW);
      const content = csvOf([{ ...newRow, score: 99 }]);
      await stageContent(ledger, content, { source: sourceOf({ amendments }) });
      expect(await states(ledger)).toEqual(['accepted', amendments === 'hold' ? 'held:amended' : 'waiting']);
    }
  });

  it('is out of order where a later one was accepted under the old identifier', async () => {
    const ledger = testLedger(systemClock());
    await stagedAndAccepted(ledger, csvOf([oldRow]));
    await correct(ledger, OLD, NEW);
    await stageContent(ledger, csvOf([{ ...newRow, at: '2023-01-05 08:00:00' }]));
    expect(await states(ledger)).toEqual(['accepted', 'held:out-of-order']);
  });

  it('is a duplicate of one that is under way under the old identifier, or that a person dismissed', async () => {
    const ledger = testLedger(systemClock());
    await stageContent(ledger, csvOf([oldRow]));
    await correct(ledger, OLD, NEW);
    expect(dispositionsOf(await stageContent(ledger, csvOf([newRow])))).toMatchObject({ duplicate: 1 });
    await deliverNext(ledger, await mustLease(ledger, 'push:main'), 1, {
      kind: 'rejected',
      cause: 'platform-refused',
      reason: 'x',
    });
    const all = await select(ledger, { states: ['rejected'] });
    await decide(ledger, { kind: 'dismiss', who: decider('ada'), because: 'no', selection: {} }, all, null);
    const again = csvOf([newRow, exportRow(3)]);
    expect(dispositionsOf(await stageContent(ledger, again))).toMatchObject({ duplicate: 1, staged: 1 });
  });

  it('is not kept where the old or the new identifier was forgotten', async () => {
    for (const forgotten of [OLD, NEW]) {
      const ledger = testLedger(systemClock());
      await forget(ledger, forgotten);
      await correct(ledger, OLD, NEW);
      expect(dispositionsOf(await stageContent(ledger, csvOf([oldRow])))).toMatchObject({ skipped: 1 });
    }
  });
});

it('a drop that was half staged before a correction begins again', async () => {
  const ledger = testLedger(systemClock());
  const rows = exportRows(5_000);
  const content = csvOf(rows);
  await stageFirstBatch(ledger, content);
  await correct(ledger, rows[0]?.email ?? '', NEW);
  expect(dispositionsOf(await stageContent(ledger, content))).toMatchObject({ staged: 5_000 });
  expect((await traceOf(ledger, '1:2')).lives).toMatchObject([{ record: { 'user-id': NEW } }]);
});
