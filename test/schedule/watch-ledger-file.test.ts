import { renameSync } from 'node:fs';
import { expect, it } from 'vitest';
import { fileOf } from '../../src/ledger/store/query.js';
import { watchLedgerFile } from '../../src/schedule/service.js';
import { actionContext } from '../support/action-context.js';
import { manualClock } from '../support/manual-clock.js';
import { testLedger } from '../support/staged-ledger.js';

function world() {
  const clock = manualClock();
  const ledger = testLedger(clock);
  const stop = new AbortController();
  const move = (from: string, to: string) => renameSync(from, to);
  return { clock, stop, ledger, context: actionContext(ledger), move };
}

it('a ledger that stays away for two minutes ends the service', async () => {
  const { context, ledger, stop, move, clock } = world();
  move(fileOf(ledger).path, `${fileOf(ledger).path}.away`);
  const began = clock.monotonicMs();
  expect(await watchLedgerFile(context, stop.signal)).toMatchObject({ exit: 'io' });
  expect(clock.monotonicMs() - began).toBe(120_000);
});

it('a ledger that comes back in time ends nothing, however often it goes', async () => {
  const { context, ledger, stop, move, clock } = world();
  const away = `${fileOf(ledger).path}.away`;
  let looks = 0;
  const sleep = async (ms: number) => {
    clock.pass(ms);
    looks += 1;
    // A minute away, a look in its place.
    if (looks % 5 === 1) move(fileOf(ledger).path, away);
    if (looks % 5 === 0) move(away, fileOf(ledger).path);
    if (looks === 200) stop.abort();
  };
  expect(await watchLedgerFile({ ...context, clock: { ...clock, sleep } }, stop.signal)).toBeNull();
});
