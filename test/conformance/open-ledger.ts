import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { closeLedger, openLedger } from '../../src/ledger/store/open.js';
import type { Ledger } from '../../src/ledger/store/query.js';
import { type ManualClock, manualClock } from '../support/manual-clock.js';
import { tempFolder } from '../support/temp-folder.js';

/** A fresh, empty ledger of the engine that is tested, closed when the test ends, and the clock that it goes by. */
export function openConformanceLedger(): { readonly ledger: Ledger; readonly clock: ManualClock } {
  const clock = manualClock();
  const ledger = openLedger(join(tempFolder(), 'registrar.db'), clock);
  onTestFinished(() => closeLedger(ledger));
  return { ledger, clock };
}
