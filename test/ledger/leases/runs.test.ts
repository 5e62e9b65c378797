import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import type { RunEnd } from '../../../src/domain/process/run.js';
import { readState } from '../../../src/ledger/books/state/read-state.js';
import { adoptDeadRuns } from '../../../src/ledger/leases/leases.js';
import { thisProcess } from '../../../src/ledger/leases/owner.js';
import { beginRun, endRun } from '../../../src/ledger/leases/runs.js';
import type { Ledger } from '../../../src/ledger/store/query.js';
import { testLedger } from '../../support/staged-ledger.js';

describe('a run adopts those that could not report what they left behind', () => {
  const HERE = thisProcess();
  const DEAD = { ...HERE, pid: spawnSync(process.execPath, ['--version']).pid, pidStarted: null };

  const begun = async (ledger: Ledger, owner = HERE) => beginRun(ledger, 'cron', owner, 'test');

  it.each([
    { what: 'whose process died', owner: DEAD, end: null, adopted: 1, becomes: 'died' },
    { what: 'that goes on', owner: HERE, end: null, adopted: 0, becomes: null },
    { what: 'that an error ended', owner: HERE, end: 'error', adopted: 1, becomes: 'error' },
    { what: 'that came to its end', owner: DEAD, end: 'attention', adopted: 0, becomes: 'attention' },
    { what: 'that was interrupted', owner: DEAD, end: 'interrupted', adopted: 0, becomes: 'interrupted' },
  ] as const)('one $what: $adopted', async ({ owner, end, adopted, becomes }) => {
    const ledger = testLedger();
    const earlier = await begun(ledger, owner);
    if (end !== null) await endRun(ledger, earlier, end satisfies RunEnd);
    const now = await begun(ledger);
    expect(await adoptDeadRuns(ledger, now, HERE)).toBe(adopted);
    const { runs } = await readState(ledger, ['runs']);
    expect(runs.find(({ runId }) => runId === earlier)).toMatchObject({ end: becomes });
  });

  it('one of them alone, the latest where that broke off as well', async () => {
    const ledger = testLedger();
    const first = await begun(ledger);
    await endRun(ledger, first, 'error');
    const second = await begun(ledger);
    expect(await adoptDeadRuns(ledger, second, HERE)).toBe(1);
    await endRun(ledger, second, 'error');
    const third = await begun(ledger);
    expect(await adoptDeadRuns(ledger, third, HERE)).toBe(1);
    await endRun(ledger, third, 'done');
    expect(await adoptDeadRuns(ledger, await begun(ledger), HERE)).toBe(0);
  });
});
