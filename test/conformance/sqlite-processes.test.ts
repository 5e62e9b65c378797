import { expect, it } from 'vitest';
import { reconcileAlerts } from '../../src/ledger/alerts/reconcile-alerts.js';
import { readState } from '../../src/ledger/books/state/read-state.js';
import { holdsLease, withLeases } from '../../src/ledger/leases/leases.js';
import { type Owner, thisProcess } from '../../src/ledger/leases/owner.js';
import { signOn } from '../../src/ledger/leases/services.js';
import { FOUND, START } from './found-outage.js';
import { openFile } from './sqlite-engine.js';
import { processClock } from './store-clock.js';

// A file belongs to one machine: its processes can be looked at, and end with its boot.

/** No system gives this number to a process. */
const GONE: Owner = { ...thisProcess(), id: 'gone', pid: 4_194_305 };

it('the leases of a process that has ended are free at once, and known to be lost', async () => {
  const { ledger } = await openFile();
  await withLeases(ledger, ['stage'], GONE, null, async ({ leases: [gone], lost }) => {
    expect([await holdsLease(ledger, gone), lost.aborted]).toEqual([true, false]);
    expect(
      await withLeases(ledger, ['stage'], thisProcess(), null, async ({ leases: [other] }) => [
        await holdsLease(ledger, gone),
        await holdsLease(ledger, other),
      ]),
    ).toEqual({ done: [false, true] });
  });
});

it('a process that is no more has no service, however lately it was seen', async () => {
  const { ledger } = await openFile();
  await signOn(ledger, GONE);
  expect((await readState(ledger, ['services'])).services).toMatchObject([
    { isAlive: false, stoppedAt: null },
  ]);
});

it('a new service takes the place of those whose process is no more', async () => {
  const { ledger } = await openFile();
  await signOn(ledger, GONE);
  await signOn(ledger, thisProcess());
  await signOn(ledger, thisProcess());
  const { services } = await readState(ledger, ['services']);
  expect(services.map(({ isAlive }) => isAlive)).toEqual([true, true]);
});

it('a notification claimed by a process of an earlier boot is sent again', async () => {
  const { ledger, openAs } = await openFile();
  expect((await reconcileAlerts(ledger, FOUND)).due).toHaveLength(1);
  expect((await reconcileAlerts(ledger, FOUND)).due).toHaveLength(0);
  const booted = openAs(processClock(START, 'boot-2').living);
  expect((await reconcileAlerts(booted, FOUND)).due).toHaveLength(1);
});
