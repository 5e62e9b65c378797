import { describe, expect, it } from 'vitest';
import { isoFromMs, systemClock } from '../../src/domain/clock.js';
import { snapshotLedger } from '../support/snapshot-ledger.js';
import type { TestWorkspace } from '../support/workspace.js';
import { ledgerText } from '../support/workspace-ledger.js';
import {
  DISMISS,
  decisionsTraced,
  FAILPOINTS,
  JANE,
  killedAt,
  outcome,
  SLOW,
  STAGE,
  undisturbed,
  workspaceWithJane,
} from './killed-decisions-setup.js';

const now = () => isoFromMs(systemClock().nowMs());

describe('a decision whose process is killed at any step is carried out, once, by another command', () => {
  it('a forget, which leaves nothing of the person or of whom it looked for', SLOW, async () => {
    const workspace = await workspaceWithJane();
    const restoreLedger = await snapshotLedger(workspace);
    const forget = ['forget', JANE, '--because', 'request 4711'];
    const usual = await undisturbedForget(workspace, forget);
    for (const failpoint of FAILPOINTS) {
      await restoreLedger();
      expect([failpoint, await killedAt(failpoint, workspace, forget, STAGE)]).toEqual([failpoint, usual]);
      expect(ledgerText(workspace)).not.toContain(JANE);
    }
    const [janesRow] = workspace.query<{ id: number }>(
      'select min(submission_id) as id from submission where record is null',
    );
    expect(await decisionsTraced(workspace, `#${janesRow?.id}`)).toEqual(['forget']);
  });

  it('a purge', SLOW, async () => {
    const workspace = await workspaceWithJane();
    const restoreLedger = await snapshotLedger(workspace);
    const purge = ['purge', '--before', now(), '--archive'];
    const usual = await undisturbed(workspace, purge, DISMISS);
    expect(workspace.query('select 1 from row where cells is null')).not.toEqual([]);
    for (const failpoint of FAILPOINTS) {
      await restoreLedger();
      expect([failpoint, await killedAt(failpoint, workspace, purge, DISMISS)]).toEqual([failpoint, usual]);
    }
    expect(workspace.files('archive')).toEqual(['academy/1-jane.csv']);
  });
});

/** It ends with 1: the file in archive/ names her. */
async function undisturbedForget(workspace: TestWorkspace, forget: readonly string[]) {
  expect((await workspace.cli(...forget)).code).toBe(1);
  await workspace.cli(...STAGE);
  return outcome(workspace);
}
