import type { RunEnd } from '../../domain/run.js';
import { thisProcess } from '../../ledger/owner.js';
import type { Ledger } from '../../ledger/query.js';
import { beginRun, endRun } from '../../ledger/runs.js';
import { VERSION } from '../../version.js';

/**
 * Gives something that a person does by hand the number of a run, under which the ledger keeps what it does. The run ends
 * as its result says, or with `error`; one whose process dies is closed by the next run.
 */
export async function withinRun<T extends { readonly exit: RunEnd }>(
  ledger: Ledger,
  work: (runId: number) => Promise<T>,
): Promise<T> {
  const runId = beginRun(ledger, 'manual', thisProcess(), VERSION);
  const done = await work(runId).catch((error: unknown) => {
    tryToEnd(ledger, runId);
    throw error;
  });
  endRun(ledger, runId, done.exit);
  return done;
}

/** On the way out with an error: a run that can't be closed is closed by the next one. */
export function tryToEnd(ledger: Ledger, runId: number): void {
  try {
    endRun(ledger, runId, 'error');
  } catch {
    // The error that led here is the one to tell.
  }
}
