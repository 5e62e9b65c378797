import { readFileSync, renameSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { findSession, openSession } from '../../src/ledger/access/sessions.js';
import { copyLedger, ledgerHealth } from '../../src/ledger/books/balance/ledger-health.js';
import { ledgerMark } from '../../src/ledger/store/ledger-mark.js';
import { closeLedger, isInPlace, openLedger } from '../../src/ledger/store/open.js';
import { openFile } from './sqlite-engine.js';
import { publishedDrop } from './staged-drop.js';

const rows = [{ user: 'a@x.example' }, { user: 'b@x.example' }];

it('a copy has all that the ledger had, bears its mark, and is sound', async () => {
  const { ledger, clock } = await openFile();
  await publishedDrop(ledger, 'a.csv', rows);
  const path = join(dirname(ledger.file.path), 'copy.db');
  const { totals, ...found } = await copyLedger(ledger, path);
  expect(found).toEqual({ balanced: true, damaged: 0, fault: null });
  expect(totals).toEqual((await ledgerHealth(ledger, 'full')).totals);
  const copy = openLedger(path, clock.living);
  expect(ledgerMark(copy)).toEqual(ledgerMark(ledger));
  closeLedger(copy);
});

it('the mark of a ledger grows with each drop and each run, and distinguishes ledgers', async () => {
  const [one, other] = [await openFile(), await openFile()];
  const before = ledgerMark(one.ledger);
  const dropId = await publishedDrop(one.ledger, 'a.csv', rows);
  const after = ledgerMark(one.ledger);
  expect(after).toMatchObject({ ledger: before.ledger, drop: dropId });
  expect(after.run).toBeGreaterThan(before.run);
  expect(ledgerMark(other.ledger).ledger).not.toBe(before.ledger);
});

it('a ledger that is moved away is no longer in its place', async () => {
  const { ledger } = await openFile();
  await publishedDrop(ledger, 'a.csv', rows);
  expect(isInPlace(ledger)).toBe(true);
  renameSync(ledger.file.path, `${ledger.file.path}.away`);
  expect(isInPlace(ledger)).toBe(false);
  renameSync(`${ledger.file.path}.away`, ledger.file.path);
});

it('using a session writes at most once a minute', async () => {
  const { ledger, clock } = await openFile();
  const limits = { idleMs: 3_600_000, longestMs: 12 * 3_600_000 };
  const hash = 'aa'.repeat(32);
  const person = { name: 'ada', role: 'operator' } as const;
  await openSession(ledger, hash, { person, how: 'password', stamp: 's', ...limits });
  const written = () => readFileSync(`${ledger.file.path}-wal`).length;
  const before = written();
  for (let second = 0; second < 59; second += 1) {
    await clock.pass(1_000);
    await findSession(ledger, hash, limits);
  }
  expect(written()).toBe(before);
  await clock.pass(1_000);
  await findSession(ledger, hash, limits);
  const after = written();
  expect(after).toBeGreaterThan(before);
  await findSession(ledger, hash, limits);
  expect(written()).toBe(after);
});
