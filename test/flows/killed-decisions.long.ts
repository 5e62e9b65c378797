import { describe, expect, it } from 'vitest';
import { ledgerText } from '../support/workspace-ledger.js';
import { DISMISS, JANE, SLOW, STAGE, workspaceWithJane } from './killed-decisions-setup.js';

describe('a decision whose process is killed at any step is carried out, once, by another command', () => {
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
