import { describe, expect, it } from 'vitest';
import { collected } from '../../../src/domain/process/series.js';
import { fileOf } from '../../../src/ledger/store/query.js';
import { claim, findDue } from '../../../src/ledger/submissions/claims.js';
import { damagedRows } from '../../../src/ledger/submissions/record/kept-record.js';
import { tracedLife } from '../../../src/ledger/trace/submission-life.js';
import { damageLedger } from '../../support/damage.js';
import {
  ACCEPTED,
  claimNext,
  deliverNext,
  mustLease,
  stage,
  states,
  submission,
  testLedger,
} from '../../support/staged-ledger.js';

const two = async () => {
  const ledger = testLedger();
  const { runId } = await stage(ledger, [{ content: 'A' }, { content: 'B' }]);
  fileOf(ledger).sqlite.exec("insert into operation (name) values ('delete-course')");
  return { ledger, runId, lease: await mustLease(ledger, 'push:main') };
};

describe('a row whose record differs from the staged one', () => {
  it.each([
    ['a letter of its record', `record = '{"percentile":10}'`],
    ['a bracket of its record', `record = '[' || substr(record, 2)`],
    ['its record, which is gone', 'record = null'],
    ['its digest', `digest = x'0011223344556677'`],
    ['its learner', 'learner_id = 0'],
    ['its content', 'content_id = 99'],
    ['its operation', "operation_id = (select operation_id from operation where name = 'delete-course')"],
    ['when it occurred', `occurred_at = '2026-01-10T09:00:00.001Z'`],
  ])('is held, not sent, and the other goes on: %s', async (_, change) => {
    const { ledger, runId, lease } = await two();
    damageLedger(ledger, `update submission set ${change} where submission_id = 1`);
    const sent = [];
    for (let round = 0; round < 5; round += 1) {
      const claimed = await claimNext(ledger, lease, runId);
      if (claimed) sent.push(claimed.submissionId);
    }
    expect(sent).toEqual([2]);
    // Not by its drop, which may be what was damaged.
    expect(await submission(ledger, 1)).toMatchObject({ state: 'held', cause: 'damaged' });
    expect(await submission(ledger, 2)).toMatchObject({ state: 'sending' });
  });

  it('is shown as damaged by a trace, without its text', async () => {
    const { ledger } = await two();
    expect(await tracedLife(ledger, 1)).toMatchObject({
      damaged: false,
      record: { 'content-id': 'A' },
    });
    damageLedger(ledger, `update submission set record = '{broken' where submission_id = 1`);
    expect(await tracedLife(ledger, 1)).toMatchObject({ damaged: true, record: null });
  });

  it('is held again after a rerun, as long as it is damaged', async () => {
    const { ledger, runId, lease } = await two();
    damageLedger(ledger, `update submission set record = '[]', overrides = 'all' where submission_id = 1`);
    expect(await claim(ledger, lease, 1, runId)).toBeNull();
    expect(await states(ledger)).toEqual(['held:damaged', 'waiting']);
  });
});

it('all damage is found, and none in a sound ledger', async () => {
  const { ledger, runId, lease } = await two();
  await deliverNext(ledger, lease, runId, ACCEPTED);
  expect(await collected(damagedRows(ledger))).toEqual([]);
  damageLedger(
    ledger,
    `update submission set record = '{"percentile":1}' where submission_id = 1;
     insert into environment values (7, 'test'); update submission set environment_id = 7 where submission_id = 2`,
  );
  expect(await collected(damagedRows(ledger))).toMatchObject([
    { dropId: 1, line: 2 },
    { dropId: 1, line: 3 },
  ]);
});

it('a row that an index has lost is not due: a push that finds nothing else ends', async () => {
  const { ledger, runId } = await two();
  const { sqlite } = fileOf(ledger);
  // As an index is that misses an entry: SQLite goes by it without a look at the table.
  sqlite.unsafeMode(true);
  sqlite.pragma('writable_schema = on');
  sqlite.exec(`create table emptied (key blob, revision integer, unique (key, revision))`);
  const empty = sqlite
    .prepare("select rootpage from sqlite_master where name = 'sqlite_autoindex_emptied_1'")
    .get() as { rootpage: number };
  sqlite
    .prepare("update sqlite_master set rootpage = ? where name = 'sqlite_autoindex_submission_1'")
    .run(empty.rootpage);
  sqlite.pragma('schema_version = 99');
  expect(await findDue(ledger, { environment: 'main', runId })).toMatchObject({
    kind: 'later',
    atMs: null,
  });
});
