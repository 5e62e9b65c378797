import { describe, expect, it } from 'vitest';
import { killedAtParts } from '../support/killed-copies.js';
import { onlyForFiles } from '../support/only-for-files.js';
import { imbalancesOf } from '../support/snapshot-ledger.js';
import { testWorkspace } from '../support/workspace.js';
import { ledgerText } from '../support/workspace-ledger.js';
import { CLOSED, delivered, now, PLATFORM, SKIPPED, SLOW } from './purge-setup.js';

describe('registrar purge', () => {
  it('that is killed anywhere goes on when it is begun again', {
    ...SLOW,
    ...onlyForFiles('its statements'),
  }, async () => {
    const killed = await delivered();
    const before = now();
    const copies = await killedAtParts(killed, [0.7, 0.85, 0.95], 'purge', '--before', before);
    for (const copied of copies.values()) {
      const workspace = await testWorkspace({ ...PLATFORM, ...copied });
      expect((await workspace.cli('purge', '--before', before)).code).toBe(0);
      for (const canary of [CLOSED, SKIPPED]) expect(ledgerText(workspace)).not.toContain(canary);
      expect(await imbalancesOf(workspace)).toEqual([]);
      expect(workspace.query('select 1 from decision where finished_at is null')).toEqual([]);
    }
  });
});
