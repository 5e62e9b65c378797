import { describe, expect, it } from 'vitest';
import { killedAtParts } from '../support/killed-copies.js';
import { onlyForFiles } from '../support/only-for-files.js';
import { imbalancesOf } from '../support/snapshot-ledger.js';
import { testWorkspace } from '../support/workspace.js';
import { ledgerText } from '../support/workspace-ledger.js';
import { delivered, forget, JANE, NEAR_JANE, PLATFORM, REASON, SLOW } from './forget-setup.js';

describe('registrar forget', () => {
  it('that is killed anywhere goes on when it is begun again', {
    ...SLOW,
    ...onlyForFiles('its statements'),
  }, async () => {
    const copies = await killedAtParts(await delivered(), [0.6, 0.75, 0.9], 'forget', JANE, ...REASON);
    for (const copied of copies.values()) {
      const workspace = await testWorkspace({ ...PLATFORM, ...copied });
      expect(workspace.query('select 1 from decision where finished_at is null')).toHaveLength(1);
      expect((await forget(workspace, ...REASON)).document.proof.remaining).toEqual([]);
      expect(ledgerText(workspace).replaceAll(NEAR_JANE, '')).not.toContain(JANE);
      // The one that was interrupted is carried out first; the next request is another decision.
      expect(workspace.query('select 1 from decision where finished_at is null')).toEqual([]);
      expect(workspace.query('select * from forget_identifier')).toEqual([]);
      expect(await imbalancesOf(workspace)).toEqual([]);
    }
  });
});
