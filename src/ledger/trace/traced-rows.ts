import { sql } from 'kysely';
import type { DropFormat, DropState } from '../../domain/drop.js';
import type { Disposition } from '../../domain/row.js';
import type { RowRef } from '../../domain/row-ref.js';
import type { RowIssue } from '../books/rows/attention.js';
import { issuesOf } from '../books/rows/attention-samples.js';
import { decisionsNumbered, type KeptDecision } from '../decisions/decision-log.js';
import { fileNamed } from '../drops/drops.js';
import { all, bytes, first, type Ledger, query } from '../store/query.js';
import { NOBODY } from '../submissions/record/keys.js';
import { NO_LEARNER } from '../submissions/slots.js';
import { isOneOf } from '../submissions/subjects.js';

/** Numbers of the published submissions about any of these learners (hex hashes), oldest first. */
export async function submissionsAbout(ledger: Ledger, learners: readonly string[]): Promise<number[]> {
  return submissionsWhere(ledger, isOneOf('s.learner_id', learners));
}

/** The beginning of a key's text (`keyText`), by its pieces; null: any. Hashes are hex digits. */
export interface KeyBeginning {
  readonly learner: string;
  readonly content: string | null;
  readonly environment: string | null;
  readonly operations: readonly string[] | null;
  /** ISO time; empty where the key has none. */
  readonly occurredAt: string | null;
}

/** Numbers of the published submissions whose keys begin so, oldest first. */
export async function submissionsWithKey(ledger: Ledger, key: KeyBeginning): Promise<number[]> {
  const { learner, content, environment, operations, occurredAt } = key;
  const conditions = [
    learner === NOBODY ? sql`s.learner_id = ${NO_LEARNER}` : isOneOf('s.learner_id', [learner]),
    ...(content === null
      ? []
      : [sql`s.content_id = (select content_id from content where hash = ${bytes(content)})`]),
    ...(environment === null
      ? []
      : [sql`s.environment_id = (select environment_id from environment where name = ${environment})`]),
    ...(operations === null
      ? []
      : [
          sql`s.operation_id in (select operation_id from operation where name in (${sql.join(operations)}))`,
        ]),
    ...(occurredAt === null ? [] : [sql`s.occurred_at = ${occurredAt}`]),
  ];
  return submissionsWhere(ledger, sql<boolean>`${sql.join(conditions, sql` and `)}`);
}

/** Numbers of the published submissions that were made from the row, by staging or by a decision. */
export async function submissionsFrom(ledger: Ledger, { dropId, line }: RowRef): Promise<number[]> {
  return submissionsWhere(ledger, sql<boolean>`s.drop_id = ${dropId} and s.line = ${line}`);
}

async function submissionsWhere(
  ledger: Ledger,
  condition: ReturnType<typeof sql<boolean>>,
): Promise<number[]> {
  return (
    await all(
      ledger,
      query
        .selectFrom('submission as s')
        .innerJoin('drop_file as d', 'd.drop_id', 's.drop_id')
        .select('s.submission_id as id')
        .where('d.state', '=', sql.lit('published'))
        .where(condition)
        .orderBy('s.submission_id'),
    )
  ).map(({ id }) => id);
}

/** Rows that repeat the submission, and invalid rows that became it or turned out to repeat it. */
export async function rowsLeadingTo(ledger: Ledger, submissionId: number): Promise<RowRef[]> {
  return all(
    ledger,
    query
      .selectFrom('row as r')
      .innerJoin('drop_file as d', 'd.drop_id', 'r.drop_id')
      .select(['r.drop_id as dropId', 'r.line'])
      // A literal: SQLite uses the index of duplicates only for exactly this condition.
      .where(sql<boolean>`r.disposition = 'duplicate'`)
      .where('r.submission_id', '=', submissionId)
      .where('d.state', '=', sql.lit('published'))
      .unionAll(
        query
          .selectFrom('resolution as z')
          .select(['z.drop_id as dropId', 'z.line'])
          .where('z.submission_id', '=', submissionId),
      )
      .orderBy('dropId')
      .orderBy('line'),
  );
}

/** A drop as a trace shows it. */
export interface TracedDrop {
  readonly dropId: number;
  readonly source: string;
  readonly file: string;
  readonly sha256: string;
  readonly format: DropFormat | null;
  readonly operation: string;
  readonly environment: string;
  readonly state: DropState;
  readonly sheet: string | null;
  readonly headerLine: number;
  readonly header: readonly string[];
  /** Field to header, as it was read. */
  readonly mapping: Readonly<Record<string, string>>;
  /** Digest of what decided how it was read. */
  readonly settings: string | null;
  readonly rowsRead: number | null;
  readonly refusal: string | null;
  readonly runId: number;
  readonly takenAt: string;
  readonly publishedAt: string | null;
}

/** The drop of this number; undefined when there is none. */
export async function tracedDrop(ledger: Ledger, dropId: number): Promise<TracedDrop | undefined> {
  return (await dropsWhere(ledger, sql<boolean>`d.drop_id = ${dropId}`))[0];
}

/**
 * Drops with this number, or that have come in under this file name, oldest first.
 * @param sheet only drops of this sheet; left out: all.
 */
export async function dropsNamed(
  ledger: Ledger,
  numberOrName: string,
  sheet?: string,
): Promise<TracedDrop[]> {
  const asNumber = /^\d{1,9}$/.test(numberOrName) ? Number(numberOrName) : -1;
  const drops = await dropsWhere(
    ledger,
    sql<boolean>`(d.drop_id = ${asNumber} or ${fileNamed(numberOrName)} or d.drop_id in (
      select drop_id from arrival a
      where a.file_name = ${numberOrName} or (d.part <> '' and a.file_name = ${numberOrName} || '#' || d.part)))`,
  );
  return sheet === undefined ? drops : drops.filter((drop) => drop.sheet === sheet);
}

async function dropsWhere(ledger: Ledger, condition: ReturnType<typeof sql<boolean>>): Promise<TracedDrop[]> {
  return (
    await all(
      ledger,
      query
        .selectFrom('drop_file as d')
        .select([
          'drop_id as dropId',
          'source',
          'file_name as file',
          'sha256',
          'format',
          'operation',
          'environment',
          'state',
          'sheet',
          'header_line as headerLine',
          'header',
          'mapping',
          'settings',
          'rows_read as rowsRead',
          'refusal',
          'run_id as runId',
          'taken_at as takenAt',
          'published_at as publishedAt',
        ])
        .where(condition)
        .orderBy('drop_id'),
    )
  ).map(({ header, mapping, headerLine, ...drop }) => ({
    ...drop,
    headerLine: headerLine ?? 0,
    header: header === null ? [] : (JSON.parse(header) as string[]),
    mapping: mapping === null ? {} : (JSON.parse(mapping) as Record<string, string>),
  }));
}

/** A row's disposition, and what it became since. */
export interface RowFate {
  readonly disposition: Disposition;
  /** The submission that it is or repeats; null: it became none. */
  readonly submissionId: number | null;
  readonly issues: readonly RowIssue[];
  /** How a later decision resolved an invalid row; null: none has. */
  readonly resolution: Resolution | null;
}

/** How an invalid row was resolved. */
export interface Resolution {
  readonly decision: KeptDecision;
  /**
   * The submission that it became or turned out to repeat; null: it was dismissed, its learner was forgotten, or another row
   * corrects it.
   */
  readonly submissionId: number | null;
  /** The row of a later file that it was resolved by, and that became no submission either; null: it was resolved otherwise. */
  readonly by: (RowRef & { readonly file: string }) | null;
}

/** The fate of a row; null when no row was read at this place. */
export async function rowFate(ledger: Ledger, { dropId, line }: RowRef): Promise<RowFate | null> {
  const row = await first(
    ledger,
    query
      .selectFrom('row')
      .select(['disposition', 'submission_id as submissionId'])
      .where('drop_id', '=', dropId)
      .where('line', '=', line),
  );
  if (!row) return (await isAmongBlanks(ledger, { dropId, line })) ? BLANK : null;
  const issues = await issuesOf(ledger, dropId, line);
  const resolution = await first(
    ledger,
    query
      .selectFrom('resolution as z')
      .leftJoin('drop_file as later', 'later.drop_id', 'z.successor_drop_id')
      .select(['z.decision_id as decisionId', 'z.submission_id as submissionId'])
      .select(['later.drop_id as laterId', 'later.file_name as file', 'z.successor_line as laterLine'])
      .where('z.drop_id', '=', dropId)
      .where('z.line', '=', line),
  );
  if (resolution === undefined) return { ...row, issues, resolution: null };
  const { decisionId, submissionId, laterId, laterLine, file } = resolution;
  const decision = (await decisionsNumbered(ledger, [decisionId])).get(decisionId) as KeptDecision;
  const by =
    laterId === null || laterLine === null ? null : { dropId: laterId, line: laterLine, file: file ?? '' };
  return { ...row, issues, resolution: { decision, submissionId, by } };
}

/** True for a blank line that has no row of its own, because the one above stands for it. */
async function isAmongBlanks(ledger: Ledger, { dropId, line }: RowRef): Promise<boolean> {
  const above = await first(
    ledger,
    query
      .selectFrom('row')
      .select(['line', 'lines'])
      .where('drop_id', '=', dropId)
      .where('line', '<', line)
      .orderBy('line', 'desc')
      .limit(sql.lit(1)),
  );
  return above !== undefined && line < above.line + above.lines;
}

const BLANK: RowFate = { disposition: 'blank', submissionId: null, issues: [], resolution: null };
