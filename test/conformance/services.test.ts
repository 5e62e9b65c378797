import { describe, expect, it } from 'vitest';
import { readState } from '../../src/ledger/books/state/read-state.js';
import { thisProcess } from '../../src/ledger/leases/owner.js';
import { recordHeartbeat, signOff, signOn } from '../../src/ledger/leases/services.js';
import type { Ledger } from '../../src/ledger/store/query.js';
import { ENGINES } from './engines.js';
import { elsewhere } from './under-way.js';

const alive = async (ledger: Ledger) =>
  (await readState(ledger, ['services'])).services.map(({ isAlive }) => isAlive);

describe.each(ENGINES)('on $name', ({ open }) => {
  it('a service lives while its process does and it shows a sign every three minutes', async () => {
    const { ledger, clock } = await open();
    expect((await readState(ledger, ['services'])).services).toEqual([]);
    const owner = thisProcess();
    await signOn(ledger, owner);
    await clock.pass(179_000);
    expect(await alive(ledger)).toEqual([true]);
    await clock.pass(2_000);
    expect(await alive(ledger)).toEqual([false]);
    await recordHeartbeat(ledger, owner);
    expect(await alive(ledger)).toEqual([true]);
  });

  it('a service that has signed off is known as stopped until another signs on', async () => {
    const { ledger } = await open();
    const owner = thisProcess();
    await signOn(ledger, owner);
    await signOff(ledger, owner);
    expect((await readState(ledger, ['services'])).services).toMatchObject([
      { isAlive: false, stoppedAt: expect.any(String) },
    ]);
    await signOn(ledger, thisProcess());
    expect((await readState(ledger, ['services'])).services).toMatchObject([
      { isAlive: true, stoppedAt: null },
    ]);
  });

  it('two services know of each other, and a new one takes the place of those that are gone', async () => {
    const { ledger, clock } = await open();
    await signOn(ledger, elsewhere('gone'));
    await clock.pass(180_000);
    expect(await alive(ledger)).toEqual([false]);
    for (const name of ['one', 'other']) await signOn(ledger, elsewhere(name));
    expect(await alive(ledger)).toEqual([true, true]);
  });
});
