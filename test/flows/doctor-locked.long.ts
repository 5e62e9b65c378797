import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { expect, it, onTestFinished } from 'vitest';
import { briefWaits } from '../support/brief-waits.js';
import { examined, finds } from '../support/examined.js';
import { csvOf, exportRows } from '../support/exports.js';
import { testWorkspace } from '../support/workspace.js';

const LOCKED =
  /^broken ledger: the ledger .*registrar\.db was locked for 30 s\. Another program keeps the ledger locked\. Close it and run again\. .*fuser/;

/** Doctor waits as long for the lock as a run does: half a minute, of which the tests wait a moment. */
it.each<[string, string, readonly RegExp[]]>([
  [
    'to itself',
    'pragma locking_mode = exclusive; begin exclusive',
    [LOCKED, /^attention token: skipped: the ledger is unusable/],
  ],
  ['from being written', 'begin immediate', [/^attention health: .*locked by another process/, LOCKED]],
])(
  'doctor names a ledger that another program keeps %s, and looks at everything else',
  { timeout: 240_000 },
  async (_, lock, faults) => {
    const workspace = await testWorkspace({ skipReceivedCheck: 'its ledger is locked' });
    workspace.drop('a.csv', csvOf(exportRows(1)));
    await workspace.run();
    const other = new BetterSqlite3(join(workspace.root, 'registrar.db'));
    onTestFinished(() => void other.close());
    other.exec(lock);
    const { waits, end } = briefWaits();
    onTestFinished(end);
    const found = await examined(workspace);
    other.exec('rollback');
    expect(waits).toContain(30_000);
    finds(found, 74, faults);
  },
);
