import { type RawBuilder, sql } from 'kysely';
import type { RecordedDecision } from '../decisions/decision-log.js';
import { DROP_NAMED } from '../drops/drops.js';
import { paged } from '../leases/leave-room.js';
import { isAmong } from '../store/dialect.js';
import { breathe } from '../store/pages.js';
import { erased, isKept } from '../store/personal.js';
import { all, change, type Ledger, query, reading } from '../store/query.js';
import { unsentStates } from '../submissions/transitions.js';
import { compactLedger, erasing } from './compact.js';
import { countCalls, countRefusals, purgeCalls, purgeRefusals } from './purge-answers.js';
import { purgeLearners } from './purge-learners.js';

/** A published drop that is old enough to be purged. */
export interface PurgeableDrop {
  readonly dropId: number;
  readonly source: string;
  readonly file: string;
  readonly sha256: string;
  readonly rows: number;
  /** Rows that a delivery or a person may still need, whose content stays. */
  readonly open: number;
  /** False where all its content was cleared. */
  readonly hasContent: boolean;
}

/** Counts of the content of closed rows that is still kept, or that was cleared. */
export interface Cleared {
  /** Rows with such cells. */
  readonly rows: number;
  readonly records: number;
  readonly issues: number;
  readonly answers: number;
}

/** Condition on `submission as s`: its delivery or a person may still need its content. */
const isOpen = (s: string): RawBuilder<boolean> =>
  sql<boolean>`(${sql.ref(`${s}.state`)} in ('sending', ${unsentStates})
    or (${sql.ref(`${s}.state`)} = 'replaced' and exists (
      select 1 from submission n where n.submission_id = ${sql.ref(`${s}.successor_id`)}
      and n.state in ('sending', ${unsentStates}))))`;

/** Condition on `row as r`: an invalid row that no decision has resolved. */
const isOpenRow = sql<boolean>`(r.disposition = 'invalid' and not exists (
  select 1 from resolution z where z.drop_id = r.drop_id and z.line = r.line))`;

/** What is old enough to be cleared. */
export interface OldContent {
  /** Published before, oldest first. */
  readonly drops: readonly PurgeableDrop[];
  /** The content that is still kept of their closed rows, and of answers to calls by hand. */
  readonly cleared: Cleared;
  /** Reasons of files that were set aside and are closed. */
  readonly refusals: number;
}

/** Counts what a purge before the ISO time would clear; reads all the content that is kept from before that time. */
export async function planPurge(ledger: Ledger, before: string): Promise<OldContent> {
  const { drops, refusals, answers } = await reading(ledger, async (ledger) => ({
    drops: await dropsPublishedBefore(ledger, before),
    refusals: await countRefusals(ledger, before),
    answers: await countCalls(ledger, before),
  }));
  const closed = closedContent(ledger);
  for (const { dropId } of drops) {
    for await (const lines of keptLines(ledger, dropId)) {
      await closed.look(lines);
      await breathe();
    }
  }
  return { drops, cleared: added(closed.found(), { ...NOTHING_CLEARED, answers }), refusals };
}

/** A step of a purge. */
export type PurgeStep =
  | { readonly cleared: PurgedPage }
  /** The purge is finished: the drops that are old enough, as they are now. */
  | { readonly drops: readonly PurgeableDrop[] };

type PurgedPage = Omit<OldContent, 'drops'>;

/**
 * Carries out an open purge, a transaction for each step: clears the content of closed rows, the answers to calls by hand and the
 * reasons of closed files, and rewrites the ledger's file. Rows that are closed meanwhile are left to the next purge.
 * @returns false while another process delivers: the cleared content is overwritten, but the file keeps its length until the next
 *   purge.
 */
export async function* purgeContent(
  ledger: Ledger,
  { selection }: Pick<RecordedDecision, 'selection'>,
): AsyncGenerator<PurgeStep, boolean, undefined> {
  const before = String(selection.before);
  for await (const page of paged(ledger, purgePages(ledger, before))) yield { cleared: page };
  yield { drops: await dropsPublishedBefore(ledger, before) };
  return compactLedger(ledger, 'unless-pushing');
}

async function* purgePages(ledger: Ledger, before: string): AsyncGenerator<PurgedPage> {
  for (const { dropId } of await dropsPublishedBefore(ledger, before)) {
    for await (const lines of keptLines(ledger, dropId)) {
      yield { cleared: await purgeLines(ledger, lines), refusals: 0 };
    }
  }
  for await (const _ of purgeLearners(ledger)) yield { cleared: NOTHING_CLEARED, refusals: 0 };
  const answers = await purgeCalls(ledger, before);
  yield { cleared: { ...NOTHING_CLEARED, answers }, refusals: 0 };
  yield { cleared: NOTHING_CLEARED, refusals: await purgeRefusals(ledger, before) };
}

/** Lines of a drop, from one to another. */
interface LineRange {
  readonly dropId: number;
  readonly firstLine: number;
  readonly lastLine: number;
}

/** Rows read or cleared in one transaction: it ends well within a second. */
const ROWS_AT_ONCE = 2_000;

/** The lines of a drop, so many kept rows at a time; none where no row is kept. */
async function* keptLines(ledger: Ledger, dropId: number): AsyncGenerator<LineRange> {
  for (let after = 0; ; ) {
    const lines = await all(
      ledger,
      query
        .selectFrom('row')
        .select('line')
        .where('drop_id', '=', dropId)
        .where('line', '>', after)
        .where('cells', 'is not', null)
        .orderBy('line')
        .limit(sql.lit(ROWS_AT_ONCE)),
    );
    const last = lines.at(-1)?.line;
    if (last === undefined) return;
    const isEnd = lines.length < ROWS_AT_ONCE;
    yield { dropId, firstLine: after + 1, lastLine: isEnd ? Number.MAX_SAFE_INTEGER : last };
    if (isEnd) return;
    after = last;
  }
}

/** Drops published before the ISO time, oldest first. */
async function dropsPublishedBefore(ledger: Ledger, before: string): Promise<PurgeableDrop[]> {
  const drops = await all(
    ledger,
    query
      .selectFrom('drop_file as d')
      .select([
        ...DROP_NAMED,
        sql<number>`d.rows_read`.as('rows'),
        sql<number>`(select count(*) from submission s where s.drop_id = d.drop_id and ${isOpen('s')})
          + (select count(*) from row r where r.drop_id = d.drop_id and ${isOpenRow})`.as('open'),
        sql<number>`exists (select 1 from row r where r.drop_id = d.drop_id and r.cells is not null)`.as(
          'hasContent',
        ),
      ])
      .where('d.state', '=', sql.lit('published'))
      .where('d.published_at', '<', before)
      .orderBy('d.drop_id'),
  );
  return drops.map((drop) => ({ ...drop, hasContent: drop.hasContent === 1 }));
}

/** Lines of a drop whose rows are open. */
async function openLines(ledger: Ledger, { dropId, firstLine, lastLine }: LineRange): Promise<Set<number>> {
  const ofSubmissions = query
    .selectFrom('submission as s')
    .select('s.line')
    .where('s.drop_id', '=', dropId)
    .where('s.line', '>=', firstLine)
    .where('s.line', '<=', lastLine)
    .where(isOpen('s'));
  const ofRows = query
    .selectFrom('row as r')
    .select('r.line')
    .where('r.drop_id', '=', dropId)
    .where('r.line', '>=', firstLine)
    .where('r.line', '<=', lastLine)
    .where(isOpenRow);
  return new Set((await all(ledger, ofSubmissions.union(ofRows))).map(({ line }) => line));
}

/** The content of some lines that nobody needs any more. */
interface ClosedContent {
  /** Lines of the rows whose cells are cleared. */
  readonly rows: readonly number[];
  /** Submissions whose records are cleared. */
  readonly records: readonly number[];
  readonly issues: readonly { readonly line: number; readonly ordinal: number }[];
  /** Responses whose words are cleared. */
  readonly answers: readonly number[];
}

/** Adds up what clearing lines would clear; writes nothing. */
function closedContent(ledger: Ledger) {
  let sum = NOTHING_CLEARED;
  // One answer may be about rows that are looked at one after the other.
  const answers = new Set<number>();
  return {
    async look(lines: LineRange): Promise<void> {
      const closed = await closedIn(ledger, lines);
      sum = added(sum, { ...countsOf(closed), answers: 0 });
      for (const responseId of closed.answers) answers.add(responseId);
    },
    found: (): Cleared => ({ ...sum, answers: answers.size }),
  };
}

/**
 * Clears the content of the closed rows of some lines, in one transaction: their cells, records, issues' texts and the
 * platform's words about them. The same transaction asks whether a row is closed.
 */
async function purgeLines(ledger: Ledger, lines: LineRange): Promise<Cleared> {
  return erasing(ledger, async (ledger) => {
    const closed = await closedIn(ledger, lines);
    await clear(ledger, lines, closed);
    return countsOf(closed);
  });
}

function countsOf({ rows, records, issues, answers }: ClosedContent): Cleared {
  return { rows: rows.length, records: records.length, issues: issues.length, answers: answers.length };
}

export const NOTHING_CLEARED: Cleared = { rows: 0, records: 0, issues: 0, answers: 0 };

export function added(a: Cleared, b: Cleared): Cleared {
  return {
    rows: a.rows + b.rows,
    records: a.records + b.records,
    issues: a.issues + b.issues,
    answers: a.answers + b.answers,
  };
}

async function closedIn(ledger: Ledger, lines: LineRange): Promise<ClosedContent> {
  const { dropId, firstLine, lastLine } = lines;
  const open = await openLines(ledger, lines);
  const rows = await all(
    ledger,
    query
      .selectFrom('row')
      .select('line')
      .where('drop_id', '=', dropId)
      .where('line', '>=', firstLine)
      .where('line', '<=', lastLine)
      .where('cells', 'is not', null),
  );
  const records = await all(
    ledger,
    query
      .selectFrom('submission as s')
      .select('s.submission_id as id')
      .where('s.drop_id', '=', dropId)
      .where('s.line', '>=', firstLine)
      .where('s.line', '<=', lastLine)
      .where('s.record', 'is not', null)
      .where(sql<boolean>`not ${isOpen('s')}`),
  );
  const issues = await all(
    ledger,
    query
      .selectFrom('issue')
      .select(['line', 'ordinal'])
      .where('drop_id', '=', dropId)
      .where('line', '>=', firstLine)
      .where('line', '<=', lastLine)
      .where(isKept('issue')),
  );
  const answers = await all(
    ledger,
    query
      .selectFrom('response_text')
      .select('response_id as id')
      .where(isKept('response_text'))
      .where(
        sql<boolean>`response_id in (
          select p.response_id from submission s join attempt_submission x using (submission_id)
          join response p using (attempt_id)
          where s.drop_id = ${dropId} and s.line between ${firstLine} and ${lastLine} and not exists (
            select 1 from attempt_submission y join submission o using (submission_id)
            where y.attempt_id = x.attempt_id and ${isOpen('o')}))`,
      ),
  );
  return {
    rows: rows.map(({ line }) => line).filter((line) => !open.has(line)),
    records: records.map(({ id }) => id),
    issues: issues.filter(({ line }) => !open.has(line)),
    answers: answers.map(({ id }) => id),
  };
}

async function clear(
  ledger: Ledger,
  { dropId, firstLine, lastLine }: LineRange,
  { rows, records, issues, answers }: ClosedContent,
): Promise<void> {
  await change(
    ledger,
    query.updateTable('row').set(erased('row')).where('drop_id', '=', dropId).where(isAmong('line', rows)),
  );
  await change(
    ledger,
    query.updateTable('submission').set(erased('submission')).where(isAmong('submission_id', records)),
  );
  for (const { line, ordinal } of issues) {
    const issue = query.updateTable('issue').set(erased('issue')).where('drop_id', '=', dropId);
    await change(ledger, issue.where('line', '=', line).where('ordinal', '=', ordinal));
  }
  await change(
    ledger,
    query.updateTable('response_text').set(erased('response_text')).where(isAmong('response_id', answers)),
  );
  await change(
    ledger,
    query
      .updateTable('alteration')
      .set(erased('alteration'))
      .where(isKept('alteration'))
      .where(
        sql<boolean>`submission_id in (select s.submission_id from submission s
          where s.drop_id = ${dropId} and s.line between ${firstLine} and ${lastLine} and not ${isOpen('s')})`,
      ),
  );
}
