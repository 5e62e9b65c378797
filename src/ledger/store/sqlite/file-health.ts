import type { Database } from 'better-sqlite3';
import { openDatabase } from '../driver.js';
import { migrate } from '../migrate.js';
import { type Ledger, prepared } from '../query.js';

/** The faults of a ledger's file, by SQLite's own checks. */
export interface FileHealth {
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
}

/** @param how `quick` doesn't compare each index with its table, nor read the texts. */
export function fileHealth(ledger: Ledger, how: 'quick' | 'full' | 'deep'): FileHealth {
  const { sqlite } = ledger.file;
  const check = how === 'quick' ? 'quick_check' : 'integrity_check';
  const said = sqlite.pragma(`${check}(20)`) as Record<string, string>[];
  const bySqlite = said.flatMap((line) => Object.values(line)).filter((sentence) => sentence !== 'ok');
  return {
    damage: how === 'quick' || bySqlite.length > 0 ? bySqlite : unreadableTexts(ledger),
    danglingRows: sqlite.prepare('select count(*) from pragma_foreign_key_check').pluck().get() as number,
    journalMode: sqlite.pragma('journal_mode', { simple: true }) as string,
    schema: how === 'quick' ? 'ours' : compareSchema(schemaOf(sqlite)),
  };
}

/** False for a file in which SQLite finds any damage. */
export function isIntact(sqlite: Database): boolean {
  return sqlite.pragma('integrity_check(1)', { simple: true }) === 'ok';
}

/** Columns with a text that is no time, or no JSON: the schema checks neither. */
function unreadableTexts(ledger: Ledger): string[] {
  const columns = prepared(
    ledger,
    `select t.name as "table", c.name as "column" from sqlite_master t, pragma_table_info(t.name) c
     where t.type = 'table' and c.type = 'TEXT'`,
  ).all() as { table: string; column: string }[];
  return columns.flatMap(({ table, column }) => {
    const isWrong = column.endsWith('_at')
      ? `"${column}" not glob '${TIME}'`
      : JSON_COLUMNS.includes(`${table}.${column}`)
        ? `json_valid("${column}") = 0`
        : null;
    if (isWrong === null) return [];
    const found = prepared(ledger, `select count(*) from "${table}" where ${isWrong}`)
      .pluck()
      .get() as number;
    return found === 0 ? [] : [`${found} of the texts in ${table}.${column} are not what belongs there`];
  });
}

/** ISO 8601 in UTC with milliseconds. */
const TIME = '[0-9][0-9][0-9][0-9]-[01][0-9]-[0-3][0-9]T[0-2][0-9]:[0-5][0-9]:[0-5][0-9].[0-9][0-9][0-9]Z';

const JSON_COLUMNS: readonly string[] = [
  'drop_file.header',
  'drop_file.mapping',
  'drop_file.sheets_left',
  'drop_file.zones',
  'decision.selection',
  'notice.detail',
  'response.headers',
  'row.cells',
  'row.stray_quotes',
];

function compareSchema(found: readonly unknown[]): FileHealth['schema'] {
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
