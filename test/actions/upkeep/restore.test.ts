import { hash } from 'node:crypto';
import { appendFileSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { backup } from '../../../src/actions/upkeep/backup.js';
import { carryOut, plan } from '../../../src/actions/upkeep/restore.js';
import { thisProcess } from '../../../src/ledger/leases/owner.js';
import { beginRun } from '../../../src/ledger/leases/runs.js';
import { disconnect } from '../../../src/ledger/store/open.js';
import { openExpectedLedger } from '../../../src/upkeep/expected-ledger.js';
import { workspacePaths } from '../../../src/workspace/folders.js';
import { manualClock } from '../../support/manual-clock.js';
import { tempFolder } from '../../support/temp-folder.js';

const WHO = { name: 'test', door: 'command-line' } as const;

/** A workspace whose ledger has a run more than its backup. */
async function backedUp() {
  const place = { paths: workspacePaths(tempFolder()), clock: manualClock() };
  const file = join(tempFolder(), 'kept.db');
  const run = async () => {
    const ledger = await openExpectedLedger(place.paths, place.clock);
    await beginRun(ledger, 'manual', thisProcess(), '1');
    await disconnect(ledger);
  };
  await run();
  await backup(place, { path: file, force: false });
  await run();
  return { place, file, ledger: () => hash('sha256', readFileSync(place.paths.ledger)) };
}

it('the plan of a restore says how far both ledgers go, and leaves all as it was', async () => {
  const { place, file, ledger } = await backedUp();
  const before = { names: readdirSync(place.paths.root), bytes: ledger() };
  expect(await plan(place, { file })).toMatchObject({
    totals: { runs: 1 },
    present: { totals: { runs: 2 } },
  });
  expect({ names: readdirSync(place.paths.root), bytes: ledger() }).toEqual(before);
});

it('a backup that changed after it was looked through is not restored', async () => {
  const { place, file, ledger } = await backedUp();
  const planned = await plan(place, { file });
  const before = ledger();
  appendFileSync(file, 'x');
  await expect(carryOut(place, planned, WHO, 'the disk broke')).rejects.toThrow(
    /changed since it was looked/,
  );
  expect(ledger()).toEqual(before);
});
