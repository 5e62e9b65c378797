import type { Database } from 'better-sqlite3';
import { openDatabase } from './driver.js';
import { migrate } from './migrate.js';
import type { Ledger } from './query.js';

/** What SQLite itself finds wrong with a ledger's file. */
export interface LedgerHealth {
  /** Up to 20 sentences; none: []. They name tables and indexes, never what stands in them. */
  readonly damage: readonly string[];
  /** Rows that refer to a row that isn't there. */
  readonly danglingRows: number;
  /** `wal`, unless another program has changed it. */
  readonly journalMode: string;
  /**
   * `altered`: a table, an index, a trigger, a view or a rule is not as Registrar makes it; `added-to`: all are, and another
   * program has put more beside them. A quick look doesn't ask.
   */
  readonly schema: 'ours' | 'added-to' | 'altered';
}

/**
 * Looks through the whole file. @param how `quick` leaves out whether each index has exactly the entries of its table,
 * which takes most of the time.
 */
export function ledgerHealth({ sqlite }: Ledger, how: 'quick' | 'full'): LedgerHealth {
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

/** Columns whose texts are no times, or no JSON: the schema says of neither what it must look like. */
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
  'decision.selection',
  'notice.detail',
  'response.headers',
];

function compareSchema(found: readonly unknown[]): LedgerHealth['schema'] {
  const made = schemaAsMade();
  const there = new Set(found);
  if (made.some((part) => !there.has(part))) return 'altered';
  return found.length > made.length ? 'added-to' : 'ours';
}

/** As one that is made now has it. */
function schemaAsMade(): readonly unknown[] {
  const made = openDatabase(':memory:');
  try {
    migrate(made, ':memory:', 0);
    return schemaOf(made);
  } finally {
    made.close();
  }
}

/** With the rules of states, which are part of it; what SQLite itself has added (statistics, its own tables) says nothing. */
function schemaOf(sqlite: Database): readonly unknown[] {
  return [
    "select sql from sqlite_master where name not like 'sqlite_%' order by name",
    "select from_state || ' ' || event || ' ' || to_state from state_rule order by from_state, event",
  ].flatMap((text) => sqlite.prepare(text).pluck().all());
}
