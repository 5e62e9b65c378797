import { sql } from 'kysely';
import { forgotten } from '../../domain/delivery/decided.js';
import { deleteEvents } from '../access/audit-log.js';
import { deleteAnswers } from '../access/kept-answers.js';
import { linkedLearners } from '../decisions/known-learners.js';
import { columnOf, dropsWhere } from '../drops/published-drops.js';
import { contains, isAmong } from '../store/dialect.js';
import { PERSONAL, type PersonalColumns } from '../store/personal.js';
import { change, first, type Ledger, query } from '../store/query.js';
import { carryOut } from '../submissions/carry-out.js';
import { isInvalidOpen, resolveInvalid } from '../submissions/open-items.js';
import { isOneOf } from '../submissions/subjects.js';
import { clear } from './compact.js';
import { ERASED_REFUSAL } from './purge-content.js';

/** True where the row became a submission or repeats one, and so is about that submission's learner. */
export async function isRecord(ledger: Ledger, dropId: number, line: number): Promise<boolean> {
  const at = query.selectFrom('row').where('drop_id', '=', dropId).where('line', '=', line);
  const submission = query.selectFrom('submission').where('drop_id', '=', dropId).where('line', '=', line);
  const duplicate = at.where('disposition', '=', sql.lit('duplicate'));
  return (await first(ledger, submission.select('line').unionAll(duplicate.select('line')))) !== undefined;
}

/** The index of each drop's learner column; a drop without one is absent. */
export async function learnerColumns(ledger: Ledger): Promise<ReadonlyMap<number, number>> {
  const drops = await dropsWhere(ledger, sql<boolean>`d.header is not null and d.mapping is not null`);
  const columns = drops.map((drop) => [drop.dropId, columnOf(drop, 'learner')] as const);
  return new Map(columns.filter(([, column]) => column >= 0));
}

/**
 * Clears the records of submissions and the platform's answers to them, including answers that other submissions
 * share. Dismisses submissions that would still be sent. Call it in a write transaction, while the decision to forget
 * is open.
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
  await carryOut(ledger, dismissals, { decisionId, notesRows: true });
  const answers = sql<boolean>`response_id in (
    select response_id from response join attempt_submission using (attempt_id) where ${isTheirs})`;
  return {
    dismissed: dismissals.length,
    records: await clear(ledger, 'submission', isTheirs),
    answers: await clear(ledger, 'response_text', answers),
  };
}

/** Clears the texts of a row's issues, and closes an invalid row: it can't be corrected any more. */
export async function forgetRow(
  ledger: Ledger,
  decisionId: number,
  dropId: number,
  line: number,
): Promise<number> {
  const changes = await clear(ledger, 'issue', sql<boolean>`drop_id = ${dropId} and line = ${line}`);
  const row = { dropId, line };
  if (await isInvalidOpen(ledger, row)) await resolveInvalid(ledger, row, decisionId, null);
  return changes;
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
  const refused = await ledger.db
    .selectFrom('drop_file')
    .select(['drop_id', 'refusal'])
    .where('state', '=', sql.lit('refused'))
    .where(has('refusal', needle))
    .execute();
  let refusals = 0;
  for (const { drop_id, refusal } of refused) {
    if (!isNamed(refusal ?? '')) continue;
    const at = query.updateTable('drop_file').set({ refusal: ERASED_REFUSAL }).where('drop_id', '=', drop_id);
    refusals += await change(ledger, at);
  }
  await forgetUser(ledger, needle, isNamed);
  await deleteAnswers(ledger);
  return { issues: cleared.get('issue') ?? 0, answers: cleared.get('response_text') ?? 0, refusals };
}

/** Clears the personal columns of a table's rows with the person, in plain text or with the escapes of a path. */
async function forgetTextsOf(
  ledger: Ledger,
  { table, key, columns }: PersonalColumns,
  needle: string,
  isNamed: (text: string) => boolean,
): Promise<number> {
  const mayName = (await ledger.db
    .selectFrom(table)
    .select([...key, ...columns].map((column) => sql<string | number | null>`${sql.ref(column)}`.as(column)))
    .where(({ or }) => or(columns.flatMap((column) => [has(column, needle), hasEscapes(column)])))
    .execute()) as Readonly<Record<string, string | number | null>>[];
  let cleared = 0;
  for (const row of mayName) {
    const text = columns.map((column) => row[column] ?? '').join('\n');
    if (!isNamed(text) && !isNamed(decoded(text))) continue;
    const at = key.map((column) => sql`${sql.ref(column)} = ${row[column]}`);
    cleared += await clear(ledger, table, sql<boolean>`${sql.join(at, sql` and `)}`);
  }
  return cleared;
}

function has(column: string, needle: string) {
  return contains(sql`lower(${sql.ref(column)})`, needle);
}

/** Condition: the text may contain escapes, which may hide the person from a search. */
function hasEscapes(column: string) {
  return contains(sql.ref(column), '%');
}

/** Ends the person's sessions and deletes their events: a learner may also be a user of the console. */
async function forgetUser(ledger: Ledger, needle: string, isNamed: (text: string) => boolean): Promise<void> {
  for (const { name } of await ledger.db.selectFrom('session').select('name').distinct().execute()) {
    if (isNamed(name)) await ledger.db.deleteFrom('session').where('name', '=', name).execute();
  }
  const events = await ledger.db
    .selectFrom('audit_event')
    .select(['event_id', 'who', 'file_name', 'value', 'about'])
    .where(({ or }) =>
      or([has('who', needle), has('file_name', needle), has('value', needle), has('about', needle)]),
    )
    .execute();
  const named = events.filter(({ who, file_name, value, about }) =>
    [who, file_name ?? '', value ?? '', about ?? ''].some(isNamed),
  );
  await deleteEvents(
    ledger,
    named.map(({ event_id }) => event_id),
  );
}

/** A path with its escapes decoded; unchanged where it can't be decoded. */
function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** Clears the identifiers of these learners, and keeps the hashes. @returns how many corrections had them. */
export async function forgetLearners(ledger: Ledger, hashes: readonly string[]): Promise<number> {
  const links = await linkedLearners(ledger);
  const theirs = links.filter(({ old, now }) => [old, now].some(({ hash }) => hashes.includes(hash)));
  await clear(ledger, 'learner', isOneOf('learner_id', hashes));
  return theirs.filter(({ old, now }) => old.id !== null || now.id !== null).length;
}
