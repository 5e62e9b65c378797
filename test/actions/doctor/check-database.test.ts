import { expect, it } from 'vitest';
import { checkDatabase } from '../../../src/actions/doctor/check-ledger.js';
import type { DatabaseFacts } from '../../../src/ledger/store/ledger-facts.js';

const FIT: DatabaseFacts = {
  version: '15.18',
  encoding: 'UTF8',
  roundTripMs: 2,
  aheadMs: -1_000,
  isPrivate: true,
  mayRewrite: false,
};

const verdicts = (facts: Partial<DatabaseFacts>) =>
  [...checkDatabase('the database', { ...FIT, ...facts })].map(({ verdict, message }) => [verdict, message]);

it('a sound database is reported as sound', () => {
  expect(verdicts({})).toEqual([['ok', 'is PostgreSQL 15.18, and answers in 2 ms']]);
});

it.each<[string, Partial<DatabaseFacts>, string, RegExp]>([
  ['an old server', { version: '14.2' }, 'broken', /PostgreSQL 14\.2, and Registrar needs 15/],
  ['another encoding', { encoding: 'LATIN1' }, 'broken', /encoding is LATIN1/],
  ['a long way', { roundTripMs: 180 }, 'attention', /takes 180 ms/],
  ['clocks apart', { aheadMs: 600_000 }, 'attention', /10 minutes apart/],
  ['an open connection', { isPrivate: false }, 'attention', /not encrypted/],
  ['a superuser', { mayRewrite: true }, 'attention', /superuser/],
])('%s is reported', (_, facts, verdict, message) => {
  expect(verdicts(facts)).toContainEqual([verdict, expect.stringMatching(message)]);
});
