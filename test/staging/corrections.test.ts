import { describe, expect, it } from 'vitest';
import { systemClock } from '../../src/domain/clock.js';
import type { Ledger } from '../../src/ledger/query.js';
import { packStep } from '../../src/staging/packed-step.js';
import { rowsByKey } from '../../src/staging/rows-by-key.js';
import { correct } from '../support/corrected.js';
import { decide } from '../support/decide.js';
import { decider } from '../support/decider.js';
import { csvOf, exportRow, exportRows } from '../support/exports.js';
import { select } from '../support/select.js';
import { ACCEPTED, deliverNext, mustLease, states, testLedger } from '../support/staged-ledger.js';
import { checkContent, dispositionsOf, sourceOf, stageContent, stageFirstBatch } from './staging-bench.js';

const [OLD, NEW, NEWER] = ['ada@old.example', 'ada@new.example', 'ada@newer.example'];
const oldRow = exportRow(1, { email: OLD });
const newRow = exportRow(1, { email: NEW });

function learners(ledger: Ledger): unknown[] {
  return ledger.sqlite
    .prepare(`select record ->> '$."user-id"' from submission order by drop_id, line`)
    .pluck()
    .all();
}

async function stagedAndAccepted(ledger: Ledger, content: string): Promise<void> {
  await stageContent(ledger, content);
  const lease = mustLease(ledger, 'push:main');
  while (states(ledger).includes('waiting')) deliverNext(ledger, lease, 1, ACCEPTED);
}

describe('a row of a corrected learner', () => {
  it('is staged as the learner that counts, through all corrections, and is the same row as one that names it', async () => {
    const ledger = testLedger(systemClock());
    correct(ledger, OLD, NEW);
    correct(ledger, NEW, NEWER);
    const rows = [oldRow, newRow, exportRow(1, { email: NEWER }), exportRow(2)];
    expect(dispositionsOf(await stageContent(ledger, csvOf(rows)))).toMatchObject({
      staged: 2,
      duplicate: 2,
    });
    expect(learners(ledger)).toEqual([NEWER, 'learner2@example.org']);
  });

  it.each([
    ['under its old identifier', oldRow],
    ['under its new one', newRow],
  ])('is not sent again, dropped %s, where it was accepted under the old one', async (_, row) => {
    const ledger = testLedger(systemClock());
    await stagedAndAccepted(ledger, csvOf([oldRow]));
    correct(ledger, OLD, NEW);
    const content = csvOf([row, exportRow(2, { email: OLD })]);
    expect((await checkContent(ledger, content)).dispositions).toMatchObject({ staged: 1, duplicate: 1 });
    expect(dispositionsOf(await stageContent(ledger, content))).toMatchObject({ staged: 1, duplicate: 1 });
  });

  it('corrects what was accepted under the old identifier: held, or sent where the source says so', async () => {
    for (const amendments of ['hold', 'send']) {
      const ledger = testLedger(systemClock());
      await stagedAndAccepted(ledger, csvOf([oldRow]));
      correct(ledger, OLD, NEW);
      const content = csvOf([{ ...newRow, score: 99 }]);
      await stageContent(ledger, content, { source: sourceOf({ amendments }) });
      expect(states(ledger)).toEqual(['accepted', amendments === 'hold' ? 'held:amended' : 'waiting']);
    }
  });

  it('is out of order where a later one was accepted under the old identifier', async () => {
    const ledger = testLedger(systemClock());
    await stagedAndAccepted(ledger, csvOf([oldRow]));
    correct(ledger, OLD, NEW);
    await stageContent(ledger, csvOf([{ ...newRow, at: '2023-01-05 08:00:00' }]));
    expect(states(ledger)).toEqual(['accepted', 'held:out-of-order']);
  });

  it('is a duplicate of one that is under way under the old identifier, or that a person dismissed', async () => {
    const ledger = testLedger(systemClock());
    await stageContent(ledger, csvOf([oldRow]));
    correct(ledger, OLD, NEW);
    expect(dispositionsOf(await stageContent(ledger, csvOf([newRow])))).toMatchObject({ duplicate: 1 });
    deliverNext(ledger, mustLease(ledger, 'push:main'), 1, {
      kind: 'rejected',
      cause: 'platform-refused',
      reason: 'x',
    });
    const all = select(ledger, { states: ['rejected'] });
    decide(ledger, { kind: 'dismiss', who: decider('ada'), because: 'no', selection: {} }, all, null);
    const again = csvOf([newRow, exportRow(3)]);
    expect(dispositionsOf(await stageContent(ledger, again))).toMatchObject({ duplicate: 1, staged: 1 });
  });

  it('is not kept where the old or the new identifier was forgotten', async () => {
    for (const forgotten of [OLD, NEW]) {
      const ledger = testLedger(systemClock());
      correct(ledger, forgotten, 'somebody@else.example');
      ledger.sqlite.exec('insert into suppression select old_learner, decision_id from correction');
      ledger.sqlite.exec('delete from correction');
      correct(ledger, OLD, NEW);
      expect(dispositionsOf(await stageContent(ledger, csvOf([oldRow])))).toMatchObject({ skipped: 1 });
    }
  });
});

it('a drop that was half staged before a correction begins anew', async () => {
  const ledger = testLedger(systemClock());
  const rows = exportRows(5_000);
  const content = csvOf(rows);
  await stageFirstBatch(ledger, content);
  correct(ledger, rows[0]?.email ?? '', NEW);
  expect(dispositionsOf(await stageContent(ledger, content))).toMatchObject({ staged: 5_000 });
  expect(learners(ledger)[0]).toBe(NEW);
});

it('the keys under former identifiers cross to another thread with their rows', () => {
  const keys = (text: string) => ({ learner: text, slot: text, key: text, content: text });
  const row = (line: number) => ({
    kind: 'record' as const,
    line,
    record: '{}',
    keys: keys('ab'),
    occurredAt: null,
  });
  const rows = [
    row(2),
    { ...row(3), formers: [keys('cd'), keys('ef')] },
    { kind: 'blank' as const, line: 4 },
  ];
  const block = { firstLine: 2, lastLine: 4, rows: 3, cells: Buffer.alloc(0) };
  const packed = packStep({ kind: 'rows', rowsRead: 3, batch: { rows, block } });
  const step = structuredClone(packed);
  const given = step.kind === 'rows' ? [...rowsByKey([step])] : [];
  expect(given.toSorted((a, b) => a.line - b.line)).toEqual(rows);
});
