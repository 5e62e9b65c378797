import { type OperationNode, type RawBuilder, type RawNode, sql } from 'kysely';

// The SQL that differs between SQLite and PostgreSQL. All other SQL of the verbs works in both.

/** SQL for either engine. SQLite's compiler uses the first form. */
function either<T>(sqlite: RawBuilder<T>, postgres: RawBuilder<T>): RawBuilder<T> {
  const node = { ...sqlite.toOperationNode(), postgres: postgres.toOperationNode() };
  return sql<T>`${{ toOperationNode: () => node }}`;
}

/** The PostgreSQL form of a piece of SQL; undefined: both engines use the same. */
export function postgresForm(node: RawNode): OperationNode | undefined {
  return (node as RawNode & { readonly postgres?: OperationNode }).postgres;
}

type Value = number | string | RawBuilder<unknown>;

/** The values as a column of a query, for PostgreSQL. */
function listed(values: readonly (number | string)[]): RawBuilder<unknown> {
  const type = sql.raw(typeof values[0] === 'string' ? 'text' : 'bigint');
  return sql`select value::${type} as value from json_array_elements_text(${JSON.stringify(values)}::json)`;
}

export function isAmong(column: string, values: readonly (number | string)[]): RawBuilder<boolean> {
  // PostgreSQL can't infer the type of an empty list.
  if (values.length === 0) return sql<boolean>`false`;
  return either(
    sql<boolean>`${sql.ref(column)} in (select value from json_each(${JSON.stringify(values)}))`,
    sql<boolean>`${sql.ref(column)} in (${listed(values)})`,
  );
}

/** Condition: two columns have one of the pairs of numbers. */
export function areAmong(
  [first, second]: readonly [string, string],
  pairs: readonly (readonly [number, number])[],
): RawBuilder<boolean> {
  const columns = sql`(${sql.ref(first)}, ${sql.ref(second)})`;
  return sql<boolean>`${columns} in (select ${item(0)}, ${item(1)} from ${itemsOf(pairs)})`;
}

/** Lists as rows of a table `j`. `item` reads their numbers, `textItem` their texts. */
export function itemsOf(lists: readonly (readonly (number | string | undefined)[])[]): RawBuilder<unknown> {
  const text = JSON.stringify(lists);
  return either(sql`json_each(${text}) j`, sql`json_array_elements(${text}::json) j(value)`);
}

/** A number of a list of `itemsOf`. */
export function item(index: number): RawBuilder<number> {
  const at = sql.lit(index);
  return either(sql<number>`j.value ->> ${at}`, sql<number>`(j.value ->> ${at})::bigint`);
}

/** A text of a list of `itemsOf`. */
export function textItem(index: number): RawBuilder<string> {
  return sql<string>`j.value ->> ${sql.lit(index)}`;
}

/** A temporary table: in an attached schema of this name, or in the session of a database. */
export function ownTable(schema: string, table: string): RawBuilder<unknown> {
  return either(sql.id(schema, table), sql.id('pg_temp', table));
}

export function greatest(one: Value, other: Value): RawBuilder<number> {
  return either(sql<number>`max(${one}, ${other})`, sql<number>`greatest(${one}, ${other})`);
}

export function contains(text: RawBuilder<unknown>, part: Value): RawBuilder<boolean> {
  return either(sql<boolean>`instr(${text}, ${part}) > 0`, sql<boolean>`strpos(${text}, ${part}) > 0`);
}

export function bytesOf(hex: RawBuilder<unknown>): RawBuilder<Buffer> {
  return either(sql<Buffer>`unhex(${hex})`, sql<Buffer>`decode(${hex}, 'hex')`);
}

/** A field of a JSON object in a column, as text; null: it has no such field. */
export function fieldOf(column: string, field: string): RawBuilder<string | null> {
  const [json, name] = [sql.ref(column), sql.lit(field)];
  return either(sql<string | null>`${json} ->> ${name}`, sql<string | null>`${json}::json ->> ${name}`);
}

/** The distinct texts of a group, as a JSON list. */
export function listOfTexts(text: RawBuilder<unknown>): RawBuilder<string> {
  return either(
    sql<string>`json_group_array(distinct ${text})`,
    sql<string>`coalesce(json_agg(distinct ${text}) filter (where ${text} is not null), '[]')::text`,
  );
}

/** The number of the advisory lock of a database's writers. */
export const LEDGER_LOCK = `hashtext('registrar ' || current_schema())`;

/** Locks the whole ledger until the transaction ends, in a database. */
export const LOCK_LEDGER = `select pg_advisory_xact_lock(${LEDGER_LOCK})`;

export const engineVersion = either(
  sql<string>`sqlite_version()`,
  sql<string>`'PostgreSQL ' || split_part(current_setting('server_version'), ' ', 1)`,
);

/** The first row for each value of a column; in SQLite all rows, because its inserts handle one row at a time. */
export function firstOfEach(table: RawBuilder<unknown>, column: string, order: string): RawBuilder<unknown> {
  const [value, by] = [sql.ref(column), sql.ref(order)];
  return either(
    table,
    sql`(select distinct on (${value}) * from ${table} where ${value} is not null order by ${value}, ${by}) f`,
  );
}

export interface TableColumn {
  readonly table: string;
  readonly column: string;
  readonly isText: 0 | 1;
  readonly isBytes: 0 | 1;
  /** Its position in the primary key, from 1; 0: it isn't part of the key. */
  readonly keyPlace: number;
}

/** The columns of all tables that the ledger's migrations create, table by table. */
export const tableColumns = either(
  sql<TableColumn>`
    select t.name as "table", c.name as "column", c.type = 'TEXT' as "isText", c.type = 'BLOB' as "isBytes", c.pk as "keyPlace"
    from sqlite_schema t, pragma_table_info(t.name) c
    where t.type = 'table' and t.name not glob 'sqlite_*' order by t.name, c.cid`,
  sql<TableColumn>`
    select t.relname::text as "table", c.attname::text as "column", c.atttypid = 'text'::regtype as "isText",
      c.atttypid = 'bytea'::regtype as "isBytes", coalesce(array_position(k.indkey::int2[], c.attnum) + 1, 0) as "keyPlace"
    from pg_class t join pg_attribute c on c.attrelid = t.oid and c.attnum > 0 and not c.attisdropped
    left join pg_index k on k.indrelid = t.oid and k.indisprimary
    where t.relkind = 'r' and t.relnamespace = current_schema()::regnamespace order by t.relname collate "C", c.attnum`,
);
