import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import type { RunEnd } from '../../src/domain/run.js';
import { thisProcess } from '../../src/ledger/owner.js';
import type { Ledger } from '../../src/ledger/query.js';
import { adoptDeadRuns, beginRun, endRun } from '../../src/ledger/runs.js';
import { testLedger } from '../support/staged-ledger.js';

describe('a run answers for those that could not tell what they left behind', () => {
  const HERE = thisProcess();
  const DEAD = { ...HERE, pid: spawnSync(process.execPath, ['--version']).pid, pidStarted: null };

  const begun = (ledger: Ledger, owner = HERE) => beginRun(ledger, 'cron', owner, 'test');

  it.each([
    { what: 'whose process died', owner: DEAD, end: null, adopted: 1, becomes: 'died' },
    { what: 'that goes on', owner: HERE, end: null, adopted: 0, becomes: null },
    { what: 'that an error ended', owner: HERE, end: 'error', adopted: 1, becomes: 'error' },
    { what: 'that came to its end', owner: DEAD, end: 'attention', adopted: 0, becomes: 'attention' },
    { what: 'that was interrupted', owner: DEAD, end: 'interrupted', adopted: 0, becomes: 'interrupted' },
  ] as const)('one $what: $adopted', ({ owner, end, adopted, becomes }) => {
    const ledger = testLedger();
    const earlier = begun(ledger, owner);
    if (end !== null) endRun(ledger, earlier, end satisfies RunEnd);
    const now = begun(ledger);
    expect(adoptDeadRuns(ledger, now, HERE)).toBe(adopted);
    const run = ledger.sqlite.prepare('select end, adopted_by as by from run where run_id = ?').get(earlier);
    expect(run).toEqual({ end: becomes, by: adopted === 1 ? now : null });
  });

  it('one of them alone, the latest where that broke off as well', () => {
    const ledger = testLedger();
    const first = begun(ledger);
    endRun(ledger, first, 'error');
    const second = begun(ledger);
    expect(adoptDeadRuns(ledger, second, HERE)).toBe(1);
    endRun(ledger, second, 'error');
    const third = begun(ledger);
    expect(adoptDeadRuns(ledger, third, HERE)).toBe(1);
    endRun(ledger, third, 'done');
    expect(adoptDeadRuns(ledger, begun(ledger), HERE)).toBe(0);
    expect(ledger.sqlite.prepare('select adopted_by from run').pluck().all()).toEqual([3, 3, null, null]);
  });
});
