import { type Insertable, type RawBuilder, type Selectable, sql } from 'kysely';
import { change, first, type Ledger } from './query.js';
import type { Tables } from './schema.js';

type Name = keyof Tables;

/** Values of columns, none of them null, that find rows. */
type Key<Table extends Name> = Partial<Selectable<Tables[Table]>>;

/** Values of columns to write, or SQL for them. */
type Values<Table extends Name> = {
  readonly [Column in keyof Selectable<Tables[Table]>]?:
    | Selectable<Tables[Table]>[Column]
    | RawBuilder<unknown>;
};

/** The first row of a table with a key; undefined: there is none. */
export function rowOf<Table extends Name>(ledger: Ledger, table: Table, key: Key<Table>) {
  const row = sql<
    Selectable<Tables[Table]>
  >`select * from ${sql.table(table)} where ${equal(key, sql` and `)}`;
  return first(ledger, row);
}

/** Updates the rows with a key. @returns their number. */
export function updateRows<Table extends Name>(
  ledger: Ledger,
  table: Table,
  key: Key<Table>,
  values: Values<Table>,
): Promise<number> {
  return change(ledger, sql`update ${sql.table(table)} set ${equal(values)} where ${equal(key, sql` and `)}`);
}

/** Inserts a row, or updates the one with its key. @param changes the values to update; default: all. */
export async function putRow<Table extends Name>(
  ledger: Ledger,
  table: Table,
  key: Key<Table>,
  values: Values<Table>,
  changes: Values<Table> = values,
): Promise<void> {
  const insert = inserting(table, { ...key, ...values });
  await change(ledger, sql`${insert} on conflict (${columnsOf(key)}) do update set ${equal(changes)}`);
}

/** Inserts a row, unless there is one with its key. @returns false: there is one. */
export async function addRow<Table extends Name>(
  ledger: Ledger,
  table: Table,
  row: Insertable<Tables[Table]>,
): Promise<boolean> {
  return (await change(ledger, sql`${inserting(table, row)} on conflict do nothing`)) > 0;
}

function inserting(table: Name, row: object): RawBuilder<unknown> {
  return sql`insert into ${sql.table(table)} (${columnsOf(row)}) values (${sql.join(Object.values(row))})`;
}

function columnsOf(row: object): RawBuilder<unknown> {
  return sql.join(Object.keys(row).map((column) => sql.ref(column)));
}

function equal(values: object, between = sql`, `): RawBuilder<unknown> {
  return sql.join(
    Object.entries(values).map(([column, value]) => sql`${sql.ref(column)} = ${value}`),
    between,
  );
}
