import { describe, expect, it } from 'vitest';
import { snapshotLedger } from '../support/snapshot-ledger.js';
import { ledgerText } from '../support/workspace-ledger.js';
import {
  DISMISS,
  decisionsTraced,
  FAILPOINTS,
  JANE,
  JANES_ROWS,
  killedAt,
  NEW_JANE,
  SLOW,
  STAGE,
  undisturbed,
  workspaceWithJane,
} from './killed-decisions-setup.js';

describe('a decision whose process is killed at any step is carried out, once, by another command', () => {
  it('a mapping', SLOW, async () => {
    const workspace = await workspaceWithJane();
    const restoreLedger = await snapshotLedger(workspace);
    const map = ['map', JANE, NEW_JANE, '--because', 'she has married'];
    const usual = await undisturbed(workspace, map, DISMISS);
    expect(usual.states).toMatchObject({ replaced: JANES_ROWS });
    for (const failpoint of FAILPOINTS) {
      await restoreLedger();
      expect([failpoint, await killedAt(failpoint, workspace, map, DISMISS)]).toEqual([failpoint, usual]);
    }
    const [janesRow] = workspace.query<{ id: number }>(
      "select min(submission_id) as id from submission where state = 'replaced'",
    );
    expect(await decisionsTraced(workspace, `#${janesRow?.id}`)).toEqual(['map']);
  });

  it('a forget, also where the process that finishes it dies too', SLOW, async () => {
    const workspace = await workspaceWithJane();
    const forget = ['forget', JANE, '--because', 'request 4711'];
    for (const args of [forget, STAGE, DISMISS]) {
      const killed = workspace.startWith({ REGISTRAR_FAILPOINT: 'page-committed:1' }, ...args);
      expect((await killed.ended).code).toBe(null);
    }
    await workspace.cli(...STAGE);
    expect(ledgerText(workspace)).not.toContain(JANE);
    expect(workspace.query('select kind from decision where finished_at is null')).toEqual([]);
  });
});
