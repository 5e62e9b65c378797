import type { Database } from 'better-sqlite3';
import { type Imbalance, imbalances } from '../books/imbalances.js';
import { type DamagedRow, damagedRows } from '../submissions/record/damaged-rows.js';
import { openDatabase } from './driver.js';
import { migrate } from './migrate.js';
import type { Ledger } from './query.js';
import { type LedgerTotals, ledgerTotals } from './totals.js';

/** The faults of a ledger, by SQLite's own checks and by the ledger's equations. */
export interface LedgerHealth {
  /** Up to 20 sentences; []: no damage. They name tables and indexes, never content. */
  readonly damage: readonly string[];
  /** Rows that refer to a row that isn't there. */
  readonly danglingRows: number;
  /** `wal`, unless another program has changed it. */
  readonly journalMode: string;
  /**
   * `altered`: a table, an index, a trigger, a view or a rule differs from Registrar's; `added-to`: all agree, and another
   * program has added more. A quick check doesn't compare them.
   */
  readonly schema: 'ours' | 'added-to' | 'altered';
  /** Damaged records; null where they were not compared, or can't be read. */
  readonly damaged: DamagedContent | null;
  /** The control equations that don't hold; [] where the books balance; null where damage keeps them from being read. */
  readonly imbalances: readonly Imbalance[] | null;
  /** The ledger's totals; null where damage keeps them from being read. */
  readonly totals: LedgerTotals | null;
}

/** The number of damaged rows, and the first of them. */
export interface DamagedContent {
  readonly count: number;
  readonly first: readonly DamagedRow[];
}

/** Damaged rows that are named. */
const MOST_NAMED = 10;

/**
 * Checks the whole file of the ledger for damage and its books for balance, and reads its totals.
 * @param how `quick` doesn't compare each index with its table, which takes most of the time; `deep` also compares records with
 *   their digests, a second for a million rows.
 */
export async function ledgerHealth(ledger: Ledger, how: 'quick' | 'full' | 'deep'): Promise<LedgerHealth> {
  const ofFile = fileHealth(ledger, how);
  const isDamaged = ofFile.damage.length > 0;
  return {
    ...ofFile,
    damaged: how === 'deep' ? await unlessDamaged(isDamaged, async () => damagedContent(ledger)) : null,
    imbalances: await unlessDamaged(isDamaged, async () => imbalances(ledger)),
    totals: await unlessDamaged(isDamaged, async () => ledgerTotals(ledger)),
  };
}

/** Where SQLite finds damage, the rows may be unreadable: null then. */
async function unlessDamaged<T>(isDamaged: boolean, read: () => Promise<T>): Promise<T | null> {
  try {
    return await read();
  } catch (error) {
    if (!isDamaged) throw error;
    return null;
  }
}

async function damagedContent(ledger: Ledger): Promise<DamagedContent> {
  const first: DamagedRow[] = [];
  let count = 0;
  for await (const row of damagedRows(ledger)) {
    count += 1;
    if (count <= MOST_NAMED) first.push(row);
  }
  return { count, first };
}

function fileHealth(
  { sqlite }: Ledger,
  how: 'quick' | 'full' | 'deep',
): Omit<LedgerHealth, 'damaged' | 'imbalances' | 'totals'> {
  const check = how === 'quick' ? 'quick_check' : 'integrity_check';
  const said = sqlite.pragma(`${check}(20)`) as Record<string, string>[];
  const bySqlite = said.flatMap((line) => Object.values(line)).filter((sentence) => sentence !== 'ok');
  return {
    damage: how === 'quick' || bySqlite.length > 0 ? bySqlite : unreadableTexts(sqlite),
    danglingRows: sqlite.prepare('select count(*) from pragma_foreign_key_check').pluck().get() as number,
    journalMode: sqlite.pragma('journal_mode', { simple: true }) as string,
    schema: how === 'quick' ? 'ours' : compareSchema(schemaOf(sqlite)),
  };
}

/** Columns with a text that is no time, or no JSON: the schema checks neither. */
function unreadableTexts(sqlite: Database): string[] {
  const columns = sqlite
    .prepare(
      `select t.name as "table", c.name as "column" from sqlite_master t, pragma_table_info(t.name) c
       where t.type = 'table' and c.type = 'TEXT'`,
    )
    .all() as { table: string; column: string }[];
  return columns.flatMap(({ table, column }) => {
    const isWrong = column.endsWith('_at')
      ? `"${column}" not glob '${TIME}'`
      : JSON_COLUMNS.includes(`${table}.${column}`)
        ? `json_valid("${column}") = 0`
        : null;
    if (isWrong === null) return [];
    const found = sqlite.prepare(`select count(*) from "${table}" where ${isWrong}`).pluck().get() as number;
    return found === 0 ? [] : [`${found} of the texts in ${table}.${column} are not what belongs there`];
  });
}

/** ISO 8601 in UTC with milliseconds. */
const TIME = '[0-9][0-9][0-9][0-9]-[01][0-9]-[0-3][0-9]T[0-2][0-9]:[0-5][0-9]:[0-5][0-9].[0-9][0-9][0-9]Z';

const JSON_COLUMNS: readonly string[] = [
  'drop.header',
  'drop.mapping',
  'drop.sheets_left',
  'drop.zones',
  'decision.selection',
  'notice.detail',
  'response.headers',
  'row.cells',
  'row.stray_quotes',
];

function compareSchema(found: readonly unknown[]): LedgerHealth['schema'] {
  const ours = schemaAsMade();
  const there = new Set(found);
  if (ours.some((part) => !there.has(part))) return 'altered';
  return found.length > ours.length ? 'added-to' : 'ours';
}

/** The schema of a new ledger. */
function schemaAsMade(): readonly unknown[] {
  const empty = openDatabase(':memory:');
  try {
    migrate(empty, ':memory:', 0);
    return schemaOf(empty);
  } finally {
    empty.close();
  }
}

/**
 * The schema with the rules of states, which are part of it, and without what SQLite itself adds (statistics, its own tables) and
 * Litestream (two tables of its own, in which it numbers its work).
 */
function schemaOf(sqlite: Database): readonly unknown[] {
  return [
    `select sql from sqlite_master where name not like 'sqlite_%'
      and not (type = 'table' and name in ('_litestream_seq', '_litestream_lock')) order by name`,
    "select from_state || ' ' || event || ' ' || to_state from state_rule order by from_state, event",
  ].flatMap((text) => sqlite.prepare(text).pluck().all());
}
