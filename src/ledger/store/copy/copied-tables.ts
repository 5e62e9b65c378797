import { type TableColumn, tableColumns } from '../dialect.js';
import { all, type Ledger } from '../query.js';

/** A table that is copied from one ledger to another, which have the same tables whatever their engines. */
export interface CopiedTable {
  readonly table: string;
  /** The columns that the engines have in common: a database has the name of its workspace as well, from who opens it. */
  readonly columns: readonly string[];
  /** Of these, the ones that hold bytes. */
  readonly bytes: readonly string[];
  /** The columns of the primary key, in its order. */
  readonly key: readonly string[];
}

/** A row as the ledger answers it. */
export type CopiedRow = Readonly<Record<string, unknown>>;

/**
 * What stays behind, because it is about processes and people of the other ledger: the record of migrations, which the copy has of
 * its own; the services, none of which serves the copy; the sessions of the console, in which nobody has signed in to the copy.
 */
const LEFT_BEHIND: readonly string[] = ['schema_migration', 'service', 'session'];

/** The tables to copy between two ledgers, by name. They are those of the migrations, as the engines themselves list them. */
export async function copiedTables(from: Ledger, to: Ledger): Promise<CopiedTable[]> {
  const theirs = await columnsByTable(from);
  const own = await columnsByTable(to);
  return [...own].flatMap(([table, columns]) => {
    if (LEFT_BEHIND.includes(table) || !theirs.has(table)) return [];
    const shared = columns.filter(({ column }) => column !== 'workspace');
    const key = shared.filter(({ keyPlace }) => keyPlace > 0).sort((a, b) => a.keyPlace - b.keyPlace);
    return [
      {
        table,
        columns: shared.map(({ column }) => column),
        bytes: shared.filter(({ isBytes }) => isBytes === 1).map(({ column }) => column),
        key: key.map(({ column }) => column),
      },
    ];
  });
}

async function columnsByTable(ledger: Ledger): Promise<ReadonlyMap<string, readonly TableColumn[]>> {
  const tables = new Map<string, TableColumn[]>();
  for (const column of await all(ledger, tableColumns)) {
    tables.set(column.table, [...(tables.get(column.table) ?? []), column]);
  }
  return tables;
}

/** Names no boot, so that times with it count as those of another machine's. */
const ELSEWHERE = 'another database';

/** The boot that all times of a database have. */
const OF_DATABASES = 'database';

/**
 * A row as the copy has it.
 *
 * Leases stay free: nobody works on the copy, and its fences go on from those numbers. Times of the clock by which the other ledger
 * goes mean nothing here. Those of a machine name its boot, which tells them apart already; those of a database would pass for
 * this database's, so they get a boot that is nobody's. Permits of another boot count in full from the first request on, so the
 * quota holds whatever was sent within the last minute, and a notification that was claimed is due again.
 */
export function carried(table: string, row: CopiedRow): CopiedRow {
  if (table === 'lease') return { ...row, owner: null, heartbeat_mono_ms: null, expires_mono_ms: null };
  if (row.boot === OF_DATABASES) return { ...row, boot: ELSEWHERE };
  return row.claimed_boot === OF_DATABASES ? { ...row, claimed_boot: ELSEWHERE } : row;
}
