import type { ActionContext } from '../actions/context.js';
import { ledgerMissing } from '../actions/service/presence.js';
import type { OperatorError } from '../domain/operator-error.js';

const LOOK_MS = 15_000;

/** Time to restore a ledger that was moved away by mistake. */
const PATIENCE_MS = 120_000;

/**
 * Waits until the ledger's file has been another one, or none, for two minutes: this process can never continue with the file
 * that took its place, and its supervisor starts one that can. @returns why; null where `stop` is aborted before.
 */
export async function watchLedgerFile(
  context: ActionContext,
  stop: AbortSignal,
): Promise<OperatorError | null> {
  const { clock } = context;
  let goneSinceMs: number | null = null;
  while (!stop.aborted) {
    const missing = ledgerMissing(context);
    if (missing === null) goneSinceMs = null;
    else {
      goneSinceMs ??= clock.monotonicMs();
      if (clock.monotonicMs() - goneSinceMs >= PATIENCE_MS) return missing;
    }
    await clock.sleep(LOOK_MS, stop);
  }
  return null;
}
