import { sql } from 'kysely';
import { isoFromMs } from '../../../domain/clock.js';
import { errorsOf, type OperatorError } from '../../../domain/operator-error.js';
import { failpoint } from '../../../domain/process/failpoint.js';
import { mapSeries } from '../../../domain/process/series.js';
import { countOf } from '../../../domain/text/count-of.js';
import { doubtOpenAttempts } from '../../decisions/after-restore.js';
import { heldLeases } from '../../leases/leases.js';
import { knownServices } from '../../leases/services.js';
import {
  type CopiedTable,
  convertedRow,
  copiedTables,
  proofOf,
  tablePages,
  withoutForeignKeys,
  writePage,
} from '../../store/copied-tables.js';
import { first, type Ledger, reading, writing } from '../../store/query.js';
import { withoutLog, withoutReferences } from '../../store/sqlite/rewrite-file.js';
import { ledgerHealth } from './ledger-health.js';

/** A copy that was compared with the ledger, table by table. */
export type CopiedTables = Awaited<ReturnType<typeof copyInto>>;

/**
 * Copies a snapshot of a ledger into an empty one, on any engines, in one transaction of each. Compares the number of rows and
 * the hash of every table, and checks the books of the copy. Throws OperatorError, without changes, where the other ledger isn't
 * empty or the copy differs.
 * @param name of the other ledger, as shown to people.
 * @returns `at`: the ISO time of the snapshot; `working`: the processes that used the ledger at that time; `balanced`: false for
 * an exact copy of a ledger whose books don't balance; `doubted`: the open requests, whose rows are in doubt in the copy.
 */
export async function copyInto(ledger: Ledger, into: Ledger, name: string) {
  withoutLog(into);
  return withoutReferences(into, () =>
    reading(ledger, async (from) => {
      const at = isoFromMs(from.clock.nowMs());
      const processes = [...(await heldLeases(from)), ...(await knownServices(from))];
      const working = new Set(processes.filter(({ isAlive }) => isAlive).map(({ pid }) => pid));
      const copied = await writing(into, (to) => copyAll(from, to, name));
      return { at, working: [...working], ...copied };
    }),
  );
}

async function copyAll(from: Ledger, to: Ledger, name: string) {
  const tables = await copiedTables(from, to);
  await requireEmpty(to, tables, name);
  const written = await withoutForeignKeys(to, () =>
    mapSeries(tables, (table) => proofOf(table, copiedPages(from, to, table))),
  );
  const read = await mapSeries(tables, (table) => proofOf(table, tablePages(to, table)));
  for (const [index, { table, rows, sha256 }] of written.entries()) {
    if (read[index]?.sha256 === sha256) continue;
    const counted = countOf(read[index]?.rows ?? 0, 'row');
    throw unlike(name, `its table ${table} has ${counted}, ${rows} were written, or their content differs`);
  }
  const { fault, imbalances, totals } = await ledgerHealth(to, 'full');
  if (fault !== null || totals === null) throw unlike(name, fault ?? "its totals can't be read");
  // The sending process records the answers in the original ledger, not in the copy. If the copy sent these rows
  // again, they might arrive twice; so an operator decides.
  const doubted = await doubtOpenAttempts(to);
  return { tables: written, balanced: imbalances?.length === 0, doubted, totals };
}

/** Throws OperatorError where the ledger has rows; a ledger that was only created, by a command that reads, is empty. */
async function requireEmpty(to: Ledger, tables: readonly CopiedTable[], name: string): Promise<void> {
  for (const { table } of tables) {
    if (OF_A_NEW_LEDGER.includes(table)) continue;
    if ((await first(to, sql`select 1 from ${sql.table(table)} limit 1`)) === undefined) continue;
    const message = `${name} is not empty: its table ${table} has rows`;
    throw refusal(name, message, 'Use a new database or file. Nothing was changed.');
  }
}

/** The tables in which a new ledger has rows: its own row, and those written by the migrations. */
const OF_A_NEW_LEDGER: readonly string[] = ['ledger', 'learner', 'state_rule'];

/** Copies a table, and yields the rows that it writes. */
async function* copiedPages(from: Ledger, to: Ledger, table: CopiedTable) {
  for await (const page of tablePages(from, table)) {
    const rows = page.map((row) => convertedRow(table.table, row));
    await writePage(to, table, rows);
    yield rows;
  }
  failpoint('table-copied');
}

function unlike(name: string, fault: string): OperatorError {
  const message = `the copy in ${name} differs from the ledger (${fault}), so it was discarded`;
  const hint =
    'Check the ledger with registrar doctor --deep, and copy it again. The ledger was not changed.';
  return refusal(name, message, hint, { exit: 'io' });
}

const refusal = errorsOf('copy the ledger');
