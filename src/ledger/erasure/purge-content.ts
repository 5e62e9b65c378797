import { type RawBuilder, sql } from 'kysely';
import { summed } from '../../domain/grouped.js';
import { purgeEvents } from '../access/audit-log.js';
import { deleteAnswers } from '../access/idempotent-responses.js';
import type { RecordedDecision } from '../decisions/decision-log.js';
import { DROP_NAMED } from '../drops/drops.js';
import { isOpenRefusal } from '../drops/refused/refused-drops.js';
import { isOtherPushRunning, paged } from '../leases/leases.js';
import { yieldToEventLoop } from '../store/pages.js';
import { erased, isKept, type PersonalColumns } from '../store/personal.js';
import { all, change, count, first, type Ledger, query, reading, writing } from '../store/query.js';
import { emptyLog, overwriting, rewriteFile } from '../store/sqlite/rewrite-file.js';
import { unsentStates } from '../submissions/apply-intents.js';

/**
 * Counts of the content of closed rows that is still kept, or was cleared; `rows`: those with cells; `refusals`: the
 * reasons of closed refused files.
 */
export type ClearedCounts = Readonly<typeof NOTHING_CLEARED>;

export const NOTHING_CLEARED = { rows: 0, records: 0, issues: 0, answers: 0, refusals: 0 };

/** Condition on `submission as s`: a delivery or a correction may still need its content. */
const isOpen = (s: string): RawBuilder<boolean> =>
  sql<boolean>`(${sql.ref(`${s}.state`)} in ('sending', ${unsentStates})
    or (${sql.ref(`${s}.state`)} = 'replaced' and exists (
      select 1 from submission n where n.submission_id = ${sql.ref(`${s}.successor_id`)}
      and n.state in ('sending', ${unsentStates}))))`;

const isOpenRow = sql<boolean>`(r.disposition = 'invalid' and not exists (
  select 1 from resolution z where z.drop_id = r.drop_id and z.line = r.line))`;

export type OldContent = Awaited<ReturnType<typeof planPurge>>;

/**
 * Previews a purge: counts the content of closed rows of drops that were published before the ISO time, the reasons
 * of closed refused files, and the decisions of corrected files without open rows. Reads all the content that is kept
 * from before that time.
 */
export async function planPurge(ledger: Ledger, before: string) {
  const { drops, corrections } = await oldFiles(ledger, before);
  const refusals = await count(ledger, query.selectFrom('drop_file as d').where(isOldRefusal(before)));
  let cleared: ClearedCounts = { ...NOTHING_CLEARED, refusals };
  // An answer may be shared by rows of several pages.
  const answerIds = new Set<number>();
  for (const { drop: dropId } of drops) {
    for await (const lines of keptLines(ledger, dropId)) {
      const closed = closedIn(lines);
      const countKept = (table: 'row' | 'submission' | 'issue') =>
        count(ledger, query.selectFrom(table).where(closed[table]).where(isKept(table)));
      const [rows, records] = [await countKept('row'), await countKept('submission')];
      cleared = summed(cleared, { rows, records, issues: await countKept('issue') });
      const answers = query
        .selectFrom('response_text')
        .select('response_id as id')
        .where(closed.response_text);
      for (const { id } of await all(ledger, answers.where(isKept('response_text')))) answerIds.add(id);
      await yieldToEventLoop();
    }
  }
  return { drops, corrections, cleared: { ...cleared, answers: answerIds.size } };
}

/** The drops that were published before the ISO time, and the decisions of corrected files without open rows. */
export type OldFiles = Awaited<ReturnType<typeof oldFiles>>;

function oldFiles(ledger: Ledger, before: string) {
  return reading(ledger, async (ledger) => ({
    drops: await dropsPublishedBefore(ledger, before),
    corrections: await correctionsBefore(ledger, before),
  }));
}

/**
 * Carries out an open purge, one transaction for each step: clears the content of closed rows and the reasons of
 * closed files, and rewrites the ledger's file. Rows that are closed meanwhile are left for the next purge.
 * @param whenCleared gets the files that are old enough, in their present state, before the ledger's file is rewritten.
 * @returns false: another process delivers, so the file was not rewritten; the cleared content is overwritten, but
 * the file keeps its size until the next purge.
 */
export async function* purgeContent(
  ledger: Ledger,
  { selection }: Pick<RecordedDecision, 'selection'>,
  whenCleared: (old: OldFiles) => Promise<void> = async () => {},
): AsyncGenerator<Partial<ClearedCounts>, boolean, undefined> {
  const before = String(selection.before);
  yield* paged(ledger, purgePages(ledger, before));
  await whenCleared(await oldFiles(ledger, before));
  return compactLedger(ledger);
}

async function* purgePages(ledger: Ledger, before: string): AsyncGenerator<Partial<ClearedCounts>> {
  for (const { drop: dropId } of await dropsPublishedBefore(ledger, before)) {
    for await (const lines of keptLines(ledger, dropId)) yield await purgeLines(ledger, lines);
  }
  for await (const _ of purgeLearners(ledger)) yield {};
  yield { refusals: await purgeRefusals(ledger, before) };
}

interface LineRange {
  readonly dropId: number;
  readonly firstLine: number;
  readonly lastLine: number;
}

/** Rows per transaction: few enough to take well below a second. */
const ROWS_AT_ONCE = 2_000;

/** Yields the lines of a drop in ranges of `ROWS_AT_ONCE` kept rows; none where no row is kept. */
async function* keptLines(ledger: Ledger, dropId: number): AsyncGenerator<LineRange> {
  const stored = query
    .selectFrom('row')
    .select('line')
    .where('drop_id', '=', dropId)
    .where('cells', 'is not', null);
  const page = stored.orderBy('line').limit(sql.lit(ROWS_AT_ONCE));
  for (let after = 0; ; ) {
    const lines = await all(ledger, page.where('line', '>', after));
    const last = lines.at(-1)?.line;
    if (last === undefined) return;
    const isEnd = lines.length < ROWS_AT_ONCE;
    yield { dropId, firstLine: after + 1, lastLine: isEnd ? Number.MAX_SAFE_INTEGER : last };
    if (isEnd) return;
    after = last;
  }
}

/** The drops published before the ISO time, oldest first; `open`: the number of open rows, whose content is kept. */
async function dropsPublishedBefore(ledger: Ledger, before: string) {
  const openRows = sql<number>`(select count(*) from submission s where s.drop_id = d.drop_id and ${isOpen('s')})
    + (select count(*) from row r where r.drop_id = d.drop_id and ${isOpenRow})`;
  const hasContent = sql<number>`exists (select 1 from row r where r.drop_id = d.drop_id and r.cells is not null)`;
  const drops = await ledger.db
    .selectFrom('drop_file as d')
    .select([...DROP_NAMED, sql<number>`d.rows_read`.as('rows'), openRows.as('open')])
    .select(hasContent.as('hasContent'))
    .where('d.state', '=', sql.lit('published'))
    .where('d.published_at', '<', before)
    .orderBy('d.drop_id')
    .execute();
  return drops.map((drop) => ({ ...drop, hasContent: drop.hasContent === 1 }));
}

async function correctionsBefore(ledger: Ledger, before: string): Promise<number[]> {
  const isOpenNow = sql`exists (select 1 from corrected_row c where c.decision_id = x.decision_id and (
    exists (select 1 from open_item o where o.drop_id = c.drop_id and o.line = c.line)
    or exists (select 1 from submission s where s.drop_id = c.drop_id and s.line = c.line and ${isOpen('s')})))`;
  const closed = sql<{
    id: number;
  }>`select x.decision_id as id from decision x where x.finished_at < ${before}
    and x.decision_id in (select decision_id from returned_file) and not ${isOpenNow} order by 1`;
  return (await all(ledger, closed)).map(({ id }) => id);
}

/** Conditions, by table, for the content of closed rows on some lines. */
function closedIn({ dropId, firstLine, lastLine }: LineRange) {
  const within = (table: string) =>
    sql`${sql.ref(`${table}.drop_id`)} = ${dropId}
      and ${sql.ref(`${table}.line`)} between ${firstLine} and ${lastLine}`;
  const isOnClosedLine = (table: string) =>
    sql<boolean>`${within(table)} and ${sql.ref(`${table}.line`)} not in (
      select s.line from submission s where ${within('s')} and ${isOpen('s')}
      union select r.line from row r where ${within('r')} and ${isOpenRow})`;
  return {
    row: isOnClosedLine('row'),
    submission: sql<boolean>`${within('submission')} and not ${isOpen('submission')}`,
    corrected_row: isOnClosedLine('corrected_row'),
    issue: isOnClosedLine('issue'),
    response_text: sql<boolean>`response_id in (
      select p.response_id from submission s join attempt_submission x using (submission_id)
      join response p using (attempt_id)
      where ${within('s')} and not exists (
        select 1 from attempt_submission y join submission o using (submission_id)
        where y.attempt_id = x.attempt_id and ${isOpen('o')}))`,
    alteration: sql<boolean>`submission_id in (
      select s.submission_id from submission s where ${within('s')} and not ${isOpen('s')})`,
  };
}

/** Clears the content of the closed rows on some lines, in one transaction, which also checks whether a row is closed. */
async function purgeLines(ledger: Ledger, lines: LineRange): Promise<Partial<ClearedCounts>> {
  const closed = closedIn(lines);
  return erasing(ledger, async (ledger) => {
    await clear(ledger, 'alteration', closed.alteration);
    await clear(ledger, 'corrected_row', closed.corrected_row);
    return {
      rows: await clear(ledger, 'row', closed.row),
      records: await clear(ledger, 'submission', closed.submission),
      issues: await clear(ledger, 'issue', closed.issue),
      answers: await clear(ledger, 'response_text', closed.response_text),
    };
  });
}

/** Clears the identifiers of learners without records and corrections, one transaction for each step. */
async function* purgeLearners(ledger: Ledger): AsyncGenerator<void> {
  const last = await first(ledger, sql<{ id: number }>`select max(learner_id) as id from learner`);
  for (let from = 0; from <= (last?.id ?? 0); from += LEARNERS_AT_ONCE) {
    const isUnneeded = sql<boolean>`learner_id >= ${from} and learner_id < ${from + LEARNERS_AT_ONCE}
      and not exists (select 1 from submission s where s.learner_id = learner.learner_id and s.record is not null)
      and not exists (select 1 from correction c where learner.learner_id in (c.old_learner_id, c.new_learner_id))`;
    await erasing(ledger, (ledger) => clear(ledger, 'learner', isUnneeded));
    yield;
  }
}

/** Learners per transaction. */
const LEARNERS_AT_ONCE = 5_000;

/** Condition on `drop as d`: it was refused before the ISO time and is closed, and its reason is still kept. */
const isOldRefusal = (before: string): RawBuilder<boolean> =>
  sql<boolean>`(d.state = 'refused' and d.taken_at < ${before} and d.refusal <> ${ERASED_REFUSAL}
    and not ${isOpenRefusal})`;

/**
 * Clears these reasons, and the issues of corrected files that were decided before the time: both may repeat text of
 * the file. The reasons of open files are still needed. Deletes events of the audit log from before the time, but not notes that still hold.
 * @returns the number of refused files.
 */
async function purgeRefusals(ledger: Ledger, before: string): Promise<number> {
  const old = query.selectFrom('drop_file as d').select('d.drop_id').where(isOldRefusal(before));
  const erased = query.updateTable('drop_file').set({ refusal: ERASED_REFUSAL });
  const isOld = sql<boolean>`decision_id in (select x.decision_id from decision x where x.finished_at < ${before})`;
  return erasing(ledger, async (ledger) => {
    await clear(ledger, 'correction_issue', isOld);
    await purgeEvents(ledger, before);
    await deleteAnswers(ledger);
    return change(ledger, erased.where('drop_id', 'in', old));
  });
}

/** The text that replaces a reason. */
export const ERASED_REFUSAL = 'The reason was erased.';

/** Like `writing`, but deleted and cleared data is overwritten with zeros, not only marked as free. */
export async function erasing<T>(ledger: Ledger, work: (ledger: Ledger) => Promise<T>): Promise<T> {
  return writing(ledger, async (ledger) => overwriting(ledger, async () => work(ledger)));
}

/** Clears the personal columns of a table's rows that match a condition. @returns how many rows had personal data. */
export function clear(ledger: Ledger, table: PersonalColumns['table'], which: RawBuilder<boolean>) {
  return change(ledger, query.updateTable(table).set(erased(table)).where(isKept(table)).where(which));
}

/**
 * Rewrites the whole ledger and empties its log, so that its files contain no erased data and are as small as
 * possible. No other process can write meanwhile. Needs free space for twice the ledger, half of it in SQLite's
 * folder for temporary files. The log isn't truncated while another process reads the ledger.
 * @returns false: only the log was emptied, because another process delivers: it would wait for the whole rewrite, and fail.
 */
export async function compactLedger(ledger: Ledger): Promise<boolean> {
  const isFree = !(await isOtherPushRunning(ledger));
  if (isFree) await rewriteFile(ledger);
  await emptyLog(ledger);
  return isFree;
}
