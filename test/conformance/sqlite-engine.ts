import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Clock } from '../../src/domain/clock.js';
import { closeLedger, openLedger } from '../../src/ledger/store/open.js';
import type { FileLedger } from '../../src/ledger/store/query.js';
import { createSemaphore } from '../../src/ledger/store/semaphore.js';
import { executorOn } from '../../src/ledger/store/sqlite/executor.js';
import { writeEmptyLedger } from '../support/empty-ledger.js';
import { tempFolder } from '../support/temp-folder.js';
import type { Engine, OpenedLedger } from './engines.js';
import { type ProcessClock, processClock } from './store-clock.js';

/** A ledger in a file, with what only a file has. */
export interface LedgerFile extends OpenedLedger {
  readonly ledger: FileLedger;
  readonly clock: ProcessClock;
  /** A connection of a process with this clock. */
  openAs(clock: Clock): FileLedger;
}

/** A fresh ledger in a file of its own. */
export async function openFile(): Promise<LedgerFile> {
  const path = join(tempFolder(), 'registrar.db');
  writeEmptyLedger(path);
  const clock = processClock();
  // A connection waits for the file's lock in its thread: within one thread the other would never give it back.
  const turns = createSemaphore();
  const openAs = (processes: Clock) => {
    const ledger = openLedger(path, processes);
    onTestFinished(() => closeLedger(ledger));
    return { ...ledger, db: executorOn(ledger.file, processes, turns) };
  };
  return {
    ledger: openAs(clock.living),
    clock,
    connect: async (process = 'living') => openAs(clock[process]),
    openAs,
    address: path,
  };
}

/** One file, reached by the processes of one machine. */
export const sqlite: Engine = { name: 'sqlite', open: openFile };
