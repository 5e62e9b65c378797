import { type RawBuilder, sql } from 'kysely';

export interface PersonalColumns {
  readonly table:
    | 'learner'
    | 'submission'
    | 'row'
    | 'corrected_row'
    | 'issue'
    | 'correction_issue'
    | 'response_text'
    | 'alteration';
  readonly key: readonly string[];
  /** Each is null once erased, and never changed otherwise. */
  readonly columns: readonly string[];
  /** How a person's columns are found: by the learner's number, the row's place, or the identifier in the text. */
  readonly by: 'learner' | 'row' | 'text';
}

/**
 * All personal data that the ledger keeps. Erasures clear these columns and no others; the schema's triggers forbid
 * any other change of them. A test compares this list with the triggers.
 */
export const PERSONAL: readonly PersonalColumns[] = [
  { table: 'learner', key: ['learner_id'], columns: ['identifier'], by: 'learner' },
  { table: 'submission', key: ['submission_id'], columns: ['record'], by: 'learner' },
  { table: 'row', key: ['drop_id', 'line'], columns: ['cells', 'stray_quotes'], by: 'row' },
  { table: 'corrected_row', key: ['decision_id', 'drop_id', 'line'], columns: ['cells'], by: 'row' },
  { table: 'correction_issue', key: ['decision_id', 'ordinal'], columns: ['value', 'message'], by: 'text' },
  { table: 'issue', key: ['drop_id', 'line', 'ordinal'], columns: ['value', 'message'], by: 'text' },
  { table: 'response_text', key: ['response_id'], columns: ['body', 'detail', 'source'], by: 'text' },
  {
    table: 'alteration',
    key: ['attempt_id', 'submission_id', 'field'],
    columns: ['sent', 'returned'],
    by: 'text',
  },
];

function personalOf(table: PersonalColumns['table']): PersonalColumns {
  const entry = PERSONAL.find((one) => one.table === table);
  if (entry === undefined) throw new Error(`${table} has no personal columns`);
  return entry;
}

/** What an update sets to erase a table's personal columns. */
export function erased(table: PersonalColumns['table']): Readonly<Record<string, null>> {
  return Object.fromEntries(personalOf(table).columns.map((column) => [column, null]));
}

/** Condition: a personal column of the table's row isn't erased. */
export function isKept(table: PersonalColumns['table']): RawBuilder<boolean> {
  const columns = personalOf(table).columns.map((column) => sql`${sql.ref(column)} is not null`);
  return sql<boolean>`(${sql.join(columns, sql` or `)})`;
}
