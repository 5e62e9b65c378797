import { OperatorError } from '../domain/operator-error.js';
import { damagedRows } from '../ledger/checksum.js';
import { ledgerHealth } from '../ledger/health.js';
import type { Ledger } from '../ledger/query.js';

/**
 * Whether a ledger that a disk, or another program, has changed explains why something went wrong that should not: null: it
 * is sound, and so it is a bug. The error names no content, unlike that which led here.
 */
export function damageOf(ledger: Ledger, cause: unknown): OperatorError | null {
  const damage = firstDamage(ledger);
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

function firstDamage(ledger: Ledger): string | null {
  try {
    const { damage, danglingRows, schema } = ledgerHealth(ledger, 'full');
    if (damage[0] !== undefined) return damage[0];
    if (danglingRows > 0) return 'rows refer to rows that are not there';
    if (schema === 'altered') return 'its tables are not those that Registrar makes';
    for (const { file, firstLine } of damagedRows(ledger)) {
      return `what it keeps of ${file}:${firstLine} is not what was written`;
    }
    return null;
  } catch {
    // Not even that can be read.
    return 'it can not be read';
  }
}
