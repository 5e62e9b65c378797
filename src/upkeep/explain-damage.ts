import { OperatorError } from '../domain/operator-error.js';
import { ledgerHealth } from '../ledger/store/health.js';
import type { Ledger } from '../ledger/store/query.js';

/**
 * Whether a ledger that a disk, or another program, has changed explains why something went wrong that should not: null: it
 * is sound, and so it is a bug. The error names no content, unlike that which led here.
 */
export async function damageOf(ledger: Ledger, cause: unknown): Promise<OperatorError | null> {
  const damage = await firstDamage(ledger);
  if (damage === null) return null;
  return new OperatorError({
    operation: 'read the ledger',
    subject: ledger.path,
    message: `${ledger.path} is damaged: ${damage}`,
    hint: 'Stop runs, look at registrar doctor --deep, and restore a backup: registrar restore FILE --because TEXT. Nothing more is sent until then.',
    exit: 'io',
    cause,
  });
}

async function firstDamage(ledger: Ledger): Promise<string | null> {
  try {
    const { damage, danglingRows, schema, damaged } = await ledgerHealth(ledger, 'deep');
    if (damage[0] !== undefined) return damage[0];
    if (danglingRows > 0) return 'rows refer to rows that are not there';
    if (schema === 'altered') return 'its tables are not those that Registrar makes';
    const [rows] = damaged?.first ?? [];
    return rows ? `what it keeps of ${rows.file}:${rows.firstLine} is not what was written` : null;
  } catch {
    // Not even that can be read.
    return 'it can not be read';
  }
}
