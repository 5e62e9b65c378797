import { expect, it } from 'vitest';
import { ledgerHealth } from '../../../src/ledger/books/balance/ledger-health.js';
import { testLedger } from '../../support/staged-ledger.js';

/** Statements of another program on the ledger, and what its health then says of its schema. */
const ADDED: readonly (readonly [string, string, string])[] = [
  [
    'the tables of Litestream',
    'create table _litestream_seq (id integer primary key, seq integer); create table _litestream_lock (id integer)',
    'ours',
  ],
  ['any other table', 'create table notes (text)', 'added-to'],
  [
    'a trigger with a name like theirs',
    "create trigger _litestream_lock before insert on run begin select raise(abort, 'no'); end",
    'added-to',
  ],
  ['one of ours that is gone', 'drop index drop_file_sums', 'altered'],
];

it.each(ADDED)('%s in the ledger', async (_, statements, schema) => {
  const ledger = testLedger();
  ledger.file.sqlite.exec(statements);
  expect((await ledgerHealth(ledger, 'full')).schema).toBe(schema);
});
