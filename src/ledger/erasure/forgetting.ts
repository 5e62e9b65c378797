import { sql } from 'kysely';
import { forgotten } from '../../domain/delivery/decided.js';
import type { State } from '../../domain/submission.js';
import { operationNamed } from '../../operations/registry.js';
import { all, change, first, type Ledger, prepared, query } from '../store/query.js';
import { carryOut } from '../submissions/carry-out.js';
import { resolveInvalid } from '../submissions/resolve-invalid.js';
import { isOneOf } from '../submissions/subjects.js';
import { ERASED_REFUSAL } from './purge-answers.js';

/** A submission about a learner who is to be forgotten. */
export interface PersonRow {
  readonly submissionId: number;
  readonly dropId: number;
  readonly line: number;
  readonly state: State;
}

/**
 * All hashes of a learner: those given, and those that corrections connect with them, in both directions. They are found
 * also where the identifiers themselves were erased.
 */
export async function connectedLearners(ledger: Ledger, hashes: readonly string[]): Promise<string[]> {
  const links = await all(
    ledger,
    query
      .selectFrom('correction as c')
      .innerJoin('learner as o', 'o.learner_id', 'c.old_learner_id')
      .innerJoin('learner as n', 'n.learner_id', 'c.new_learner_id')
      .select(['o.hash as oldHash', 'n.hash as newHash']),
  );
  const connected = new Set(hashes);
  for (let before = -1; before !== connected.size; ) {
    before = connected.size;
    for (const { oldHash, newHash } of links) {
      const [old, now] = [oldHash.toString('hex'), newHash.toString('hex')];
      if (connected.has(old)) connected.add(now);
      else if (connected.has(now)) connected.add(old);
    }
  }
  return [...connected].sort();
}

/** The submissions about a learner (hex hash), in every environment. */
export async function rowsOfLearner(ledger: Ledger, hash: string): Promise<PersonRow[]> {
  return all(
    ledger,
    query
      .selectFrom('submission as s')
      .select(['s.submission_id as submissionId', 's.drop_id as dropId', 's.line', 's.state'])
      .where(isOneOf('s.learner_id', [hash]))
      .orderBy('s.submission_id'),
  );
}

/** Rows of files that repeat a submission. */
export async function repeatsOf(
  ledger: Ledger,
  submissionId: number,
): Promise<{ dropId: number; line: number }[]> {
  return all(
    ledger,
    query
      .selectFrom('row')
      .select(['drop_id as dropId', 'line'])
      .where('submission_id', '=', submissionId)
      .where('disposition', '=', sql.lit('duplicate')),
  );
}

/** True where the row became a submission or repeats one: then it is about that submission's learner. */
export function isRecord(ledger: Ledger, dropId: number, line: number): boolean {
  return prepared(ledger, IS_RECORD).get(dropId, line, dropId, line) !== undefined;
}

const IS_RECORD = `select 1 from submission where drop_id = ? and line = ?
  union all select 1 from row where drop_id = ? and line = ? and disposition = 'duplicate'`;

/** For each drop the index of its learner column; a drop without one is left out. */
export async function learnerColumns(ledger: Ledger): Promise<ReadonlyMap<number, number>> {
  const drops = await all(
    ledger,
    query
      .selectFrom('drop_file')
      .select(['drop_id as dropId', 'operation', 'header', 'mapping'])
      .where('header', 'is not', null)
      .where('mapping', 'is not', null),
  );
  const columns = new Map<number, number>();
  for (const { dropId, operation, header, mapping } of drops) {
    const field = operationNamed(operation).fields.find(({ kind }) => kind === 'learner')?.name ?? '';
    const mapped = (JSON.parse(mapping ?? '{}') as Record<string, string>)[field];
    const column = mapped === undefined ? -1 : (JSON.parse(header ?? '[]') as string[]).indexOf(mapped);
    if (column >= 0) columns.set(dropId, column);
  }
  return columns;
}

/** The result of erasing submissions. */
export interface ForgottenRows {
  readonly dismissed: number;
  readonly records: number;
  readonly answers: number;
}

/**
 * Clears the records of submissions and the platform's answers to them, also answers that were about other submissions too.
 * Submissions that would still be sent are dismissed. Call in a write transaction, while the decision to forget is open.
 */
export async function forgetSubmissions(
  ledger: Ledger,
  decisionId: number,
  rows: readonly PersonRow[],
): Promise<ForgottenRows> {
  const sum = { dismissed: 0, records: 0, answers: 0 };
  for (const { submissionId } of rows) {
    const current = await first(
      ledger,
      query.selectFrom('submission').select('state').where('submission_id', '=', submissionId),
    );
    const transition = current ? forgotten({ id: submissionId, state: current.state }) : null;
    await carryOut(ledger, [transition], { decisionId, notesRows: true });
    if (transition !== null) sum.dismissed += 1;
    sum.records += (
      await change(
        ledger,
        query
          .updateTable('submission')
          .set({ record: null })
          .where('submission_id', '=', submissionId)
          .where('record', 'is not', null),
      )
    ).changes;
    sum.answers += (
      await change(
        ledger,
        query
          .updateTable('response_text')
          .set(NO_WORDS)
          .where(
            sql<boolean>`response_id in (select response_id from response join attempt_submission using (attempt_id)
            where submission_id = ${submissionId})`,
          )
          .where(HAS_WORDS),
      )
    ).changes;
  }
  return sum;
}

const NO_WORDS = { body: null, detail: null, source: null } as const;
const HAS_WORDS = sql<boolean>`(body is not null or detail is not null or source is not null)`;

/** Clears the texts of a row's issues, and closes the row where it was invalid: nobody can correct it any more. */
export async function forgetRow(
  ledger: Ledger,
  decisionId: number,
  dropId: number,
  line: number,
): Promise<number> {
  const { changes } = await change(
    ledger,
    query
      .updateTable('issue')
      .set({ value: null, message: null })
      .where('drop_id', '=', dropId)
      .where('line', '=', line)
      .where(sql<boolean>`(value is not null or message is not null)`),
  );
  const isInvalid = query
    .selectFrom('open_item')
    .select('line')
    .where('drop_id', '=', dropId)
    .where('line', '=', line)
    .where('submission_id', '=', 0);
  if (await first(ledger, isInvalid)) await resolveInvalid(ledger, { dropId, line }, decisionId, null);
  return changes;
}

/**
 * Clears other texts that name the person: issues, the platform's answers, the reasons of set-aside files, sessions.
 * @param needle in lower case, for a first look. @param isNamed whether a text with the needle names the person.
 */
export async function forgetTexts(
  ledger: Ledger,
  needle: string,
  isNamed: (text: string) => boolean,
): Promise<{ issues: number; answers: number; refusals: number }> {
  const sum = { issues: 0, answers: 0, refusals: 0 };
  const has = (column: string) => sql<boolean>`instr(lower(${sql.ref(column)}), ${needle}) > 0`;
  const issues = await all(
    ledger,
    query
      .selectFrom('issue')
      .select(['drop_id', 'line', 'ordinal', 'value', 'message'])
      .where(({ or }) => or([has('value'), has('message')])),
  );
  for (const { drop_id, line, ordinal, value, message } of issues) {
    if (!isNamed(`${value ?? ''}\n${message ?? ''}`)) continue;
    const at = query.updateTable('issue').set({ value: null, message: null }).where('drop_id', '=', drop_id);
    sum.issues += (await change(ledger, at.where('line', '=', line).where('ordinal', '=', ordinal))).changes;
  }
  const answers = await all(
    ledger,
    query
      .selectFrom('response_text')
      .selectAll()
      .where(({ or }) => or([has('body'), has('detail'), has('source')])),
  );
  for (const { response_id, body, detail, source } of answers) {
    if (!isNamed(`${body ?? ''}\n${detail ?? ''}\n${source ?? ''}`)) continue;
    const at = query.updateTable('response_text').set(NO_WORDS).where('response_id', '=', response_id);
    sum.answers += (await change(ledger, at)).changes;
  }
  const calls = await all(
    ledger,
    query.selectFrom('call').select(['attempt_id', 'path']).where('path', 'is not', null),
  );
  for (const { attempt_id, path } of calls) {
    if (!isNamed(path ?? '') && !isNamed(decoded(path ?? ''))) continue;
    await change(ledger, query.updateTable('call').set({ path: null }).where('attempt_id', '=', attempt_id));
  }
  const altered = await all(
    ledger,
    query
      .selectFrom('alteration')
      .select(['attempt_id', 'field', 'sent', 'returned'])
      .where(({ or }) => or([has('sent'), has('returned')])),
  );
  for (const { attempt_id, field, sent, returned } of altered) {
    if (!isNamed(`${sent ?? ''}\n${returned ?? ''}`)) continue;
    const at = query.updateTable('alteration').set({ sent: null, returned: null });
    await change(ledger, at.where('attempt_id', '=', attempt_id).where('field', '=', field));
  }
  const refusals = await all(
    ledger,
    query
      .selectFrom('drop_file')
      .select(['drop_id', 'refusal'])
      .where('state', '=', sql.lit('refused'))
      .where(has('refusal')),
  );
  for (const { drop_id, refusal } of refusals) {
    if (!isNamed(refusal ?? '')) continue;
    const at = query.updateTable('drop_file').set({ refusal: ERASED_REFUSAL }).where('drop_id', '=', drop_id);
    sum.refusals += (await change(ledger, at)).changes;
  }
  await endSessions(ledger, isNamed);
  return sum;
}

/** A learner may look after others, and be logged in: the person logs in again. */
async function endSessions(ledger: Ledger, isNamed: (text: string) => boolean): Promise<void> {
  for (const { name } of await all(ledger, query.selectFrom('session').select('name').distinct())) {
    if (isNamed(name)) await change(ledger, query.deleteFrom('session').where('name', '=', name));
  }
}

/** A path with its escapes decoded; unchanged where it can't be decoded. */
function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** Clears the identifiers of these learners; the hashes stay. Returns how many corrections had them. */
export async function forgetLearners(ledger: Ledger, hashes: readonly string[]): Promise<number> {
  const isOf = (alias: string) => isOneOf(alias, hashes);
  const corrected = await first(
    ledger,
    query
      .selectFrom('correction as c')
      .innerJoin('learner as o', 'o.learner_id', 'c.old_learner_id')
      .innerJoin('learner as n', 'n.learner_id', 'c.new_learner_id')
      .select(sql<number>`count(*)`.as('count'))
      .where(({ or }) => or([isOf('c.old_learner_id'), isOf('c.new_learner_id')]))
      .where(({ or, eb }) => or([eb('o.identifier', 'is not', null), eb('n.identifier', 'is not', null)])),
  );
  await change(
    ledger,
    query
      .updateTable('learner')
      .set({ identifier: null })
      .where(isOf('learner_id'))
      .where('identifier', 'is not', null),
  );
  return corrected?.count ?? 0;
}

/** How many of a learner's submissions still have their record. */
export async function countRecords(ledger: Ledger, hash: string): Promise<number> {
  const counted = await first(
    ledger,
    query
      .selectFrom('submission as s')
      .select(sql<number>`count(s.record)`.as('count'))
      .where(isOneOf('s.learner_id', [hash])),
  );
  return counted?.count ?? 0;
}
