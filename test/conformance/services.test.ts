import { expect, it } from 'vitest';
import { thisProcess } from '../../src/ledger/leases/owner.js';
import { knownServices, showSign, signOff, signOn } from '../../src/ledger/leases/services.js';
import type { Ledger } from '../../src/ledger/store/query.js';
import { openConformanceLedger } from './open-ledger.js';

const alive = async (ledger: Ledger) => (await knownServices(ledger)).map(({ isAlive }) => isAlive);

it('a service lives while its process does and it shows a sign every three minutes', async () => {
  const { ledger, clock } = openConformanceLedger();
  expect(await knownServices(ledger)).toEqual([]);
  const owner = thisProcess();
  await signOn(ledger, owner);
  clock.pass(179_000);
  expect(await alive(ledger)).toEqual([true]);
  clock.pass(2_000);
  expect(await alive(ledger)).toEqual([false]);
  await showSign(ledger, owner);
  expect(await alive(ledger)).toEqual([true]);
});

it('a process that is no more has no service, however lately it was seen', async () => {
  const { ledger } = openConformanceLedger();
  await signOn(ledger, { ...thisProcess(), pid: 2 ** 22 + 1 });
  expect(await knownServices(ledger)).toMatchObject([{ isAlive: false, stoppedAt: null }]);
});

it('a service that has signed off is known as stopped until another signs on', async () => {
  const { ledger } = openConformanceLedger();
  const owner = thisProcess();
  await signOn(ledger, owner);
  await signOff(ledger, owner);
  expect(await knownServices(ledger)).toMatchObject([{ isAlive: false, stoppedAt: expect.any(String) }]);
  await signOn(ledger, thisProcess());
  expect(await knownServices(ledger)).toMatchObject([{ isAlive: true, stoppedAt: null }]);
});

it('two services know of each other, and a new one takes the place of those that are gone', async () => {
  const { ledger } = openConformanceLedger();
  await signOn(ledger, { ...thisProcess(), pid: 2 ** 22 + 1 });
  await signOn(ledger, thisProcess());
  await signOn(ledger, thisProcess());
  expect(await alive(ledger)).toEqual([true, true]);
});
