import { sql } from 'kysely';
import { forgotten } from '../../domain/delivery/decision.js';
import type { RowRef } from '../../domain/row-ref.js';
import { deleteEvents } from '../access/audit-log.js';
import { deleteAnswers } from '../access/idempotent-responses.js';
import { linkedLearners } from '../decisions/known-learners.js';
import { columnOf, dropsWhere } from '../drops/published-drops.js';
import { contains, isAmong } from '../store/dialect.js';
import { PERSONAL, type PersonalColumns } from '../store/personal.js';
import { all, change, first, type Ledger, query } from '../store/query.js';
import { applyIntents } from '../submissions/apply-intents.js';
import { isInvalidOpen, resolveInvalid } from '../submissions/open-items.js';
import { isOneOf } from '../submissions/subjects.js';
import { clear, ERASED_REFUSAL } from './purge-content.js';

/** True where the row became a submission or repeats one, and so is about that submission's learner. */
export async function isRecord(ledger: Ledger, { dropId, line }: RowRef): Promise<boolean> {
  const rows = sql`select line from submission where drop_id = ${dropId} and line = ${line} union all
    select line from row where drop_id = ${dropId} and line = ${line} and disposition = 'duplicate'`;
  return (await first(ledger, rows)) !== undefined;
}

/** The index of each drop's learner column; a drop without one is absent. */
export async function learnerColumns(ledger: Ledger): Promise<ReadonlyMap<number, number>> {
  const drops = await dropsWhere(ledger, sql<boolean>`d.header is not null and d.mapping is not null`);
  const columns = drops.map((drop) => [drop.dropId, columnOf(drop, 'learner')] as const);
  return new Map(columns.filter(([, column]) => column >= 0));
}

/**
 * Clears the records of submissions and the platform's answers to them, including shared ones. Dismisses submissions
 * that would still be sent. Call it in a write transaction, while the decision to forget is open.
 */
export async function forgetSubmissions(ledger: Ledger, decisionId: number, ids: readonly number[]) {
  const isTheirs = isAmong('submission_id', ids);
  const current = await ledger.db
    .selectFrom('submission')
    .select(['submission_id as id', 'state'])
    .where(isTheirs)
    .orderBy('submission_id')
    .execute();
  const dismissals = current.map(forgotten).filter((transition) => transition !== null);
  await applyIntents(ledger, dismissals, { decisionId, notesRows: true });
  const answers = sql<boolean>`response_id in (
    select response_id from response join attempt_submission using (attempt_id) where ${isTheirs})`;
  return {
    dismissed: dismissals.length,
    records: await clear(ledger, 'submission', isTheirs),
    answers: await clear(ledger, 'response_text', answers),
  };
}

/** Clears the texts of a row's issues, and closes an invalid row: it can't be corrected any more. */
export async function forgetRow(ledger: Ledger, decisionId: number, row: RowRef): Promise<number> {
  const isOfRow = sql<boolean>`drop_id = ${row.dropId} and line = ${row.line}`;
  if (await isInvalidOpen(ledger, row)) await resolveInvalid(ledger, row, decisionId, null);
  return clear(ledger, 'issue', isOfRow);
}

/**
 * Clears other texts with the person: issues, the platform's answers, the reasons of refused files, sessions, events, kept
 * answers of the HTTP interface.
 * @param needle in lower case, for a quick search.
 * @param isNamed decides whether a text with the needle is about the person.
 */
export async function forgetTexts(ledger: Ledger, needle: string, isNamed: (text: string) => boolean) {
  const cleared = new Map<PersonalColumns['table'], number>();
  for (const personal of PERSONAL.filter(({ by }) => by === 'text')) {
    cleared.set(personal.table, await forgetTextsOf(ledger, personal, needle, isNamed));
  }
  const refused = query.selectFrom('drop_file').select(['drop_id', 'refusal']);
  const mayName = await all(
    ledger,
    refused.where('state', '=', sql.lit('refused')).where(has('refusal', needle)),
  );
  const ids = mayName.flatMap(({ drop_id, refusal }) => (isNamed(refusal ?? '') ? drop_id : []));
  const erased = query.updateTable('drop_file').set({ refusal: ERASED_REFUSAL });
  const refusals = await change(ledger, erased.where(isAmong('drop_id', ids)));
  await forgetUser(ledger, needle, isNamed);
  await deleteAnswers(ledger);
  return { issues: cleared.get('issue') ?? 0, answers: cleared.get('response_text') ?? 0, refusals };
}

/** Clears the personal columns of a table's rows with the person. */
async function forgetTextsOf(
  ledger: Ledger,
  { table, key, columns }: PersonalColumns,
  needle: string,
  isNamed: (text: string) => boolean,
): Promise<number> {
  const mayHave = columns.map((column) => has(column, needle));
  const mayName = sql<Readonly<Record<string, string | number | null>>>`
    select ${sql.join([...key, ...columns].map((column) => sql.ref(column)))} from ${sql.table(table)}
    where ${sql.join(mayHave, sql` or `)}`;
  let cleared = 0;
  for (const row of await all(ledger, mayName)) {
    const text = columns.map((column) => row[column] ?? '').join('\n');
    if (!isNamed(text)) continue;
    const at = key.map((column) => sql`${sql.ref(column)} = ${row[column]}`);
    cleared += await clear(ledger, table, sql<boolean>`${sql.join(at, sql` and `)}`);
  }
  return cleared;
}

function has(column: string, needle: string) {
  return contains(sql`lower(${sql.ref(column)})`, needle);
}

/** Ends the person's sessions and deletes their events: a learner may also be a user of the console. */
async function forgetUser(ledger: Ledger, needle: string, isNamed: (text: string) => boolean): Promise<void> {
  for (const { name } of await ledger.db.selectFrom('session').select('name').distinct().execute()) {
    if (isNamed(name)) await ledger.db.deleteFrom('session').where('name', '=', name).execute();
  }
  const columns = ['who', 'file_name', 'value', 'about'] as const;
  const events = query.selectFrom('audit_event').select(['event_id as id', ...columns]);
  const mayName = events.where(({ or }) => or(columns.map((column) => has(column, needle))));
  const ids = (await all(ledger, mayName)).flatMap(({ id, ...texts }) =>
    columns.some((column) => isNamed(texts[column] ?? '')) ? id : [],
  );
  await deleteEvents(ledger, ids);
}

/** Clears the identifiers of these learners, and keeps the hashes. @returns how many corrections had them. */
export async function forgetLearners(ledger: Ledger, hashes: readonly string[]): Promise<number> {
  const links = await linkedLearners(ledger);
  const theirs = links.filter(({ old, now }) => [old, now].some(({ hash }) => hashes.includes(hash)));
  await clear(ledger, 'learner', isOneOf('learner_id', hashes));
  return theirs.filter(({ old, now }) => old.id !== null || now.id !== null).length;
}
