import { spawnSync } from 'node:child_process';
import { hostname } from 'node:os';
import { describe, expect, it } from 'vitest';
import {
  holdsLease,
  isLease,
  leaseHolder,
  releaseLease,
  takeLease,
} from '../../../src/ledger/leases/leases.js';
import { type Owner, thisProcess } from '../../../src/ledger/leases/owner.js';
import type { Ledger } from '../../../src/ledger/store/query.js';
import { manualClock } from '../../support/manual-clock.js';
import { mustLease, testLedger } from '../../support/staged-ledger.js';

const elsewhere = (): Owner => ({ id: 'other', pid: 4711, pidStarted: '1', host: 'another-host' });

describe('takeLease', () => {
  it('names the holder of a taken lease', async () => {
    const ledger = testLedger();
    const held = await mustLease(ledger, 'push:main');
    expect(await takeLease(ledger, 'push:main', thisProcess(), null)).toMatchObject({ pid: process.pid });
    expect(await leaseHolder(ledger, 'push:main')).toMatchObject({ pid: process.pid });
    expect(isLease(await takeLease(ledger, 'push:other', thisProcess(), null))).toBe(true);
    expect(await holdsLease(ledger, held)).toBe(true);
  });

  it('takes a lease whose owner sends no heartbeats, and the old owner no longer holds it', async () => {
    const clock = manualClock();
    const ledger = testLedger(clock);
    const lost = await mustLease(ledger, 'push:main', elsewhere());
    expect(isLease(await takeLease(ledger, 'push:main', thisProcess(), null))).toBe(false);
    clock.pass(30_000);
    const taken = await mustLease(ledger, 'push:main');
    expect(taken.fence.number).toBeGreaterThan(lost.fence.number);
    expect(await holdsLease(ledger, lost)).toBe(false);
    await releaseLease(ledger, lost);
    expect(await holdsLease(ledger, taken)).toBe(true);
  });

  it('takes a lease at once from a process of this host that is gone', async () => {
    const ledger = testLedger();
    const { pid } = spawnSync('true');
    await mustLease(ledger, 'stage', { id: 'dead', pid: pid ?? 0, pidStarted: '1', host: hostname() });
    expect(await leaseHolder(ledger, 'stage')).toBeNull();
    expect(isLease(await takeLease(ledger, 'stage', thisProcess(), null))).toBe(true);
  });

  it('takes a lease at once from a process whose pid another process has by now', async () => {
    const ledger = testLedger();
    await mustLease(ledger, 'stage', {
      id: 'dead',
      pid: process.pid,
      pidStarted: 'long ago',
      host: hostname(),
    });
    expect(isLease(await takeLease(ledger, 'stage', thisProcess(), null))).toBe(true);
  });

  it('takes a lease of an earlier boot', async () => {
    const ledger = testLedger();
    await mustLease(ledger, 'stage', elsewhere());
    const rebooted = rebootedLedger(ledger);
    expect(isLease(await takeLease(rebooted, 'stage', thisProcess(), null))).toBe(true);
  });
});

/** The ledger as a process sees it after a restart of the machine. */
function rebootedLedger(ledger: Ledger): Ledger {
  const clock = manualClock('2026-03-02T08:00:00.000Z', 'boot-2');
  return { ...ledger, clock, local: clock };
}
