import { describe, expect, it } from 'vitest';
import { damagedRows } from '../../src/ledger/checksum.js';
import { claim, findDue } from '../../src/ledger/claims.js';
import { cellsByLine, keptRows } from '../../src/ledger/row-blocks.js';
import { searchRows } from '../../src/ledger/search-rows.js';
import { submissionLife } from '../../src/ledger/submission-life.js';
import { hurt } from '../support/hurt.js';
import {
  ACCEPTED,
  claimNext,
  deliverNext,
  mustLease,
  stage,
  states,
  testLedger,
} from '../support/staged-ledger.js';

const two = () => {
  const ledger = testLedger();
  const { runId } = stage(ledger, [{ content: 'A' }, { content: 'B' }]);
  return { ledger, runId, lease: mustLease(ledger, 'push:main') };
};

describe('a row whose record is not what was staged', () => {
  it.each([
    ['a letter of its record', `record = replace(record, '"A"', '"C"')`],
    ['a bracket of its record', `record = '[' || substr(record, 2)`],
    ['its record, which is gone', 'record = null'],
    ['its checksum', 'sum = sum + 1'],
    ['its learner', `learner = x'00112233445566778899aabbccddeeff'`],
    ['its slot', `slot = x'00112233445566778899aabbccddeeff'`],
    ['its key', `key = x'00112233445566778899aabbccddeeff'`],
    ['its content', `content = x'00112233445566778899aabbccddeeff'`],
    ['when it occurred', `occurred_at = '2020-01-01T00:00:00.000Z'`],
    ['its operation', `operation = 'submit-completiom'`],
    ['its line', 'line = 7'],
    ['its revision', 'revision = 2'],
  ])('is held, not sent, and the other goes on: %s', (_, change) => {
    const { ledger, runId, lease } = two();
    hurt(ledger, `update submission set ${change} where submission_id = 1`);
    const sent = [];
    for (let round = 0; round < 5; round += 1) {
      const claimed = claimNext(ledger, lease, runId);
      if (claimed) sent.push(claimed.submissionId);
    }
    expect(sent).toEqual([2]);
    expect(states(ledger)).toEqual(['held:damaged', 'sending']);
  });

  it('is shown as damaged by a trace, without its text', () => {
    const { ledger } = two();
    expect(submissionLife(ledger, 1)).toMatchObject({ isDamaged: false, record: { 'content-id': 'A' } });
    hurt(ledger, `update submission set record = '{broken' where submission_id = 1`);
    expect(submissionLife(ledger, 1)).toMatchObject({ isDamaged: true, record: null });
  });

  it('is held again after a rerun, as long as it is damaged', () => {
    const { ledger, runId, lease } = two();
    hurt(ledger, `update submission set record = '{}', pass = 'all' where submission_id = 1`);
    const due = findDue(ledger, 'main', runId, 600_000);
    expect(due).toMatchObject({ submissionId: 2 });
    expect(claim(ledger, lease, 1, runId)).toBeNull();
    expect(states(ledger)).toEqual(['held:damaged', 'waiting']);
  });
});

describe('kept cells that are not what was written', () => {
  it('are never shown, and what must have them says where they are', () => {
    const { ledger } = two();
    expect(cellsByLine(ledger, 1)(2)).not.toBeNull();
    hurt(ledger, "update row_block set cells = cast(x'00' || substr(cells, 2) as blob)");
    expect(cellsByLine(ledger, 1)(2)).toBeNull();
    expect(() => [...keptRows(ledger, 1)]).toThrow(
      expect.objectContaining({
        message: 'what the ledger keeps of lines 2 to 3 of drop 1 is damaged',
        hint: expect.stringMatching(/^Give registrar restage 1, .*registrar restore/),
        exit: 'io',
      }),
    );
  });

  it('are counted as not searched', () => {
    const { ledger } = two();
    hurt(ledger, 'insert into row values (1, 3, \'invalid\', null, 1); update "drop" set invalid = 1');
    expect(searchRows(ledger, ['nothing'], () => true, 10)).toEqual({ found: [], left: 0 });
    hurt(ledger, 'update row_block set sum = sum + 1');
    expect(searchRows(ledger, ['nothing'], () => true, 10)).toEqual({ found: [], left: 1 });
  });
});

it('all that is damaged is found, and nothing in a sound ledger', () => {
  const { ledger, runId, lease } = two();
  deliverNext(ledger, lease, runId, ACCEPTED);
  expect([...damagedRows(ledger)]).toEqual([]);
  hurt(ledger, `update submission set record = '{}' where submission_id = 1; update row_block set sum = 1`);
  expect([...damagedRows(ledger)]).toMatchObject([
    { dropId: 1, firstLine: 2, lastLine: 2, what: 'record' },
    { dropId: 1, firstLine: 2, lastLine: 3, what: 'cells' },
  ]);
});

it('a row that an index has lost ends the look for what is due instead of turning for ever', () => {
  const { ledger, runId } = two();
  const { sqlite } = ledger;
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
  expect(() => findDue(ledger, 'main', runId, 600_000)).toThrow(
    expect.objectContaining({
      message: expect.stringMatching(/an index of it has lost submission 1$/),
      exit: 'io',
    }),
  );
});
