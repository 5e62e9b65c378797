import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Imbalance } from '../../src/documents/report.js';
import { systemClock } from '../../src/domain/clock.js';
import { imbalances } from '../../src/ledger/books/balance/imbalances.js';
import { closeLedger, openLedgerToRead } from '../../src/ledger/store/open.js';

/** Remembers a workspace's ledger as it is now, with no process at work; the function puts that back. */
export function keptLedger({ root }: { readonly root: string }): () => void {
  const path = join(root, 'registrar.db');
  const bytes = readFileSync(path);
  return () => {
    for (const name of readdirSync(root)) {
      if (name.startsWith('registrar') && name !== 'registrar.yaml') rmSync(join(root, name));
    }
    writeFileSync(path, bytes, { mode: 0o600 });
  };
}

/** The control equations of a workspace's ledger that don't add up, asked without starting the program. */
export async function imbalancesOf({ root }: { readonly root: string }): Promise<readonly Imbalance[]> {
  const ledger = openLedgerToRead(join(root, 'registrar.db'), systemClock());
  if (ledger === null) throw new Error(`there is no ledger in ${root}`);
  try {
    return await imbalances(ledger);
  } finally {
    closeLedger(ledger);
  }
}
