import { type AliasedRawBuilder, type RawBuilder, sql } from 'kysely';

// SQL that SQLite and PostgreSQL write differently, by what it means. All other SQL of the verbs is what both speak.

/** A value, or an expression that gives one. */
type Value = number | string | RawBuilder<unknown>;

/** The values as rows of a table `chosen`. One text however many there are, so that it is compiled once. */
export function rowsOf<T extends number | string>(
  values: readonly T[],
): AliasedRawBuilder<{ readonly value: T }, 'chosen'> {
  return sql<{ readonly value: T }>`json_each(${JSON.stringify(values)})`.as('chosen');
}

/** Condition: the column has one of the values. */
export function isAmong(column: string, values: readonly (number | string)[]): RawBuilder<boolean> {
  return sql<boolean>`${sql.ref(column)} in (select value from json_each(${JSON.stringify(values)}))`;
}

/** Condition: two columns have one of the pairs of numbers. */
export function areAmong(
  [first, second]: readonly [string, string],
  pairs: readonly (readonly [number, number])[],
): RawBuilder<boolean> {
  return sql<boolean>`(${sql.ref(first)}, ${sql.ref(second)}) in (
    select value ->> 0, value ->> 1 from json_each(${JSON.stringify(pairs)}))`;
}

/** The greater of two numbers. */
export function greatest(one: Value, other: Value): RawBuilder<number> {
  return sql<number>`max(${one}, ${other})`;
}

/** Condition: a text has this part. */
export function contains(text: RawBuilder<unknown>, part: Value): RawBuilder<boolean> {
  return sql<boolean>`instr(${text}, ${part}) > 0`;
}

/** A field of a column with a JSON object, as text; null where it has none. */
export function fieldOf(column: string, field: string): RawBuilder<string | null> {
  return sql<string | null>`${sql.ref(column)} ->> ${sql.lit(field)}`;
}

/** The texts of a group as one. */
export function joinedTexts(text: RawBuilder<unknown>, separator: string): RawBuilder<string | null> {
  return sql<string | null>`group_concat(${text}, ${sql.lit(separator)})`;
}

/** The different texts of a group, as the text of a JSON list. */
export function listOfTexts(text: RawBuilder<unknown>): RawBuilder<string> {
  return sql<string>`json_group_array(distinct ${text})`;
}

/** The columns that hold texts, of all tables. */
export const textColumns = sql<{ readonly table: string; readonly column: string }>`
  select t.name as "table", c.name as "column" from sqlite_schema t, pragma_table_info(t.name) c
  where t.type = 'table' and c.type = 'TEXT' order by t.name, c.cid`;
