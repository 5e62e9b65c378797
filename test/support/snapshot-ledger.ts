import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Imbalance } from '../../src/documents/report.js';
import { imbalances } from '../../src/ledger/books/balance/imbalances.js';
import { freshDatabase, replaceDatabase } from './postgres-server.js';
import { type LedgerOfTest, withLedger } from './workspace-ledger.js';

/** Copies a workspace's ledger as it is now, with no process at work; the returned function restores the copy. */
export async function snapshotLedger({ root, database }: LedgerOfTest): Promise<() => Promise<void>> {
  if (database !== null) {
    const kept = await freshDatabase(database);
    onTestFinished(kept.drop);
    return () => replaceDatabase(database, kept.url);
  }
  const path = join(root, 'registrar.db');
  const bytes = readFileSync(path);
  return async () => {
    for (const name of readdirSync(root)) {
      if (name.startsWith('registrar') && name !== 'registrar.yaml') rmSync(join(root, name));
    }
    writeFileSync(path, bytes, { mode: 0o600 });
  };
}

/** The control equations of a workspace's ledger that don't add up, read without starting the program. */
export function imbalancesOf(workspace: LedgerOfTest): Promise<readonly Imbalance[]> {
  return withLedger(workspace, imbalances);
}
