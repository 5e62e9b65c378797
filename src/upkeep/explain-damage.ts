import { errorsOf, type OperatorError } from '../domain/operator-error.js';
import { isLocked } from '../domain/process/io-hints.js';
import { ledgerHealth } from '../ledger/books/balance/ledger-health.js';
import { ledgerName } from '../ledger/store/ledger-facts.js';
import type { Ledger } from '../ledger/store/query.js';

/**
 * Explains an unexpected error by damage of the ledger, which a disk or another program has changed. null where the ledger
 * is sound, or locked by another program: then the error is something else. The returned error names no content, unlike `cause`.
 */
export async function damageOf(ledger: Ledger, cause: unknown): Promise<OperatorError | null> {
  // A ledger that another program keeps to itself can't be looked at; it isn't damaged.
  if (isLocked(cause)) return null;
  const damage = await firstDamage(ledger);
  if (damage === null) return null;
  const name = ledgerName(ledger);
  const hint =
    'Stop runs, check registrar doctor --deep, and restore a backup: registrar restore FILE --because TEXT. Nothing more is sent until then.';
  return errorsOf('read the ledger')(name, `${name} is damaged: ${damage}`, hint, { exit: 'io', cause });
}

async function firstDamage(ledger: Ledger): Promise<string | null> {
  try {
    const { fault, damaged } = await ledgerHealth(ledger, 'deep');
    const [row] = damaged?.first ?? [];
    return fault ?? (row ? `what it keeps of ${row.file}:${row.line} is not what was written` : null);
  } catch (error) {
    // The ledger can't even be checked.
    return isLocked(error) ? null : 'it is unreadable';
  }
}
