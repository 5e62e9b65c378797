import { existsSync, readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Statement } from 'better-sqlite3';
import { type Issue, type IssueCode, leadingIssue } from '../../../domain/issue.js';
import type { Content } from '../../../domain/record.js';
import type { PreparedRecord } from '../../../operations/keys.js';
import type { Operation } from '../../../operations/operation.js';
import { openDatabase } from '../../store/sqlite/driver.js';

/**
 * The schema of the tables from which the ledger's statements stage rows, a batch at a time. A worker thread writes
 * rows into such tables, so that the writer of the ledger creates no object for a row, and needs a third of the time
 * of separate inserts. `temp`: the connection's temporary tables; `reading`: an attached file.
 */
export type ReadSchema = 'temp' | 'reading';

/**
 * One row for each record, and for each other row, in line order. `kind`: the kind of the row; `record` for the first record of a
 * row, and `further` for its others. `cause`: the issue under which an invalid row counts. `formers`: the keys under former
 * identifiers of its learner, as JSON. Hashes are hex digits, which the writer decodes: the reader's thread has more work.
 */
const tables = (create: string, integer: string, options: string) => `
  ${create}read_row (
    number ${integer} primary key, line ${integer} not null, kind text not null, lines ${integer} not null, cause text,
    submission_id ${integer}, learner_hash text, learner_type text, learner text, content_hash text, occurred_at text,
    digest text, record text, formers text, cells text, stray_quotes text) ${options};
  ${create}read_content (
    hash text primary key, type text not null, identifier_type text, identifier text not null, part text, title text) ${options};
  ${create}read_issue (
    line ${integer} not null, ordinal ${integer} not null, code text not null, column_name text, value text, message text,
    remedy text) ${options}`;

/** The tables for a schema of SQLite. */
export const READ_TABLES = (schema: string) =>
  tables(`create table if not exists ${schema}.`, 'integer', 'strict');

/** The tables for the session of a database; they are empty after each transaction. */
export const SESSION_TABLES = tables('create temp table if not exists ', 'bigint', 'on commit delete rows');

/** The writer of a file of read rows, which is staged as one batch. */
export type ReadRowsFile = ReturnType<typeof readRowsFile>;

/** Creates a file of read rows, which is complete once closed. It isn't synced: after a crash the rows are read again. */
export function readRowsFile(path: string) {
  const sqlite = openDatabase(path);
  sqlite.pragma('page_size = 16384');
  sqlite.pragma('journal_mode = off');
  sqlite.pragma('synchronous = off');
  sqlite.exec(READ_TABLES('main'));
  sqlite.exec('begin');
  const write = rowWriter((text) => sqlite.prepare(text), 'main');
  return {
    add: write,
    close() {
      sqlite.exec('commit');
      sqlite.close();
    },
  };
}

/** The path prefix of the files of read rows. @param beside as in `Ledger`. */
export function readFilesOf(beside: string): string {
  return `${beside}-reading-`;
}

/** Deletes files of read rows, which a killed process may have left. */
export function removeReadFiles(beginning: string): void {
  const folder = dirname(beginning);
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder)) {
    if (name.startsWith(basename(beginning))) rmSync(join(folder, name), { force: true });
  }
}

/** Returns a function that writes rows into the tables of this schema. */
export function rowWriter(prepare: (text: string) => Statement, schema: string): (row: StagedRow) => void {
  // Two statements, because each bound value costs time.
  const insertRecord = prepare(`insert into ${schema}.read_row
    (line, kind, lines, learner_hash, learner_type, learner, content_hash, occurred_at, digest, record, formers, cells,
      stray_quotes)
    values (?, ?, 1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`);
  const insertOther = prepare(`insert into ${schema}.read_row
    (line, kind, lines, cause, submission_id, cells, stray_quotes) values (?, ?, ?, ?, ?, ?, ?)`);
  const insertContent = prepare(`insert into ${schema}.read_content values (?, ?, ?, ?, ?, ?)
    on conflict do update set title = excluded.title where title is null`);
  const insertIssue = prepare(`insert into ${schema}.read_issue values (?, ?, ?, ?, ?, ?, ?)`);
  const isEntitled = new Map<string, boolean>();

  function addContent(hash: string, { type, idType, id, part, title }: Content): void {
    const entitled = isEntitled.get(hash);
    if (entitled || (entitled === false && title === null)) return;
    insertContent.run(hash, type, idType, id, part, title);
    isEntitled.set(hash, title !== null);
  }

  function writeRecord(
    line: number,
    kind: 'record' | 'further',
    { keys, learner, content, text, formers }: PreparedRecord,
    cells: string | null,
    strayQuotes: string | null,
  ): void {
    addContent(keys.content, content);
    insertRecord.run(
      line,
      kind,
      keys.learner,
      learner?.type,
      learner?.id,
      keys.content,
      keys.occurredAt ?? '',
      keys.digest,
      text,
      formers === undefined ? null : JSON.stringify(formers),
      cells,
      strayQuotes,
    );
  }

  return ({ row, cells, strayQuotes }) => {
    const { line } = row;
    if (row.kind === 'record') {
      writeRecord(line, 'record', row, cells, strayQuotes);
      for (const further of row.further ?? []) writeRecord(line, 'further', further, null, null);
    } else {
      const cause = row.kind === 'invalid' ? invalidCause(row.issues) : null;
      const lines = row.kind === 'blank' ? (row.lines ?? 1) : 1;
      const repeated = row.kind === 'duplicate' ? row.of : null;
      insertOther.run(line, row.kind, lines, cause, repeated, cells, strayQuotes);
    }
    issuesOf(row).forEach(({ code, column, value, message, remedy }, ordinal) => {
      insertIssue.run(line, ordinal, code, column, value, message, remedy);
    });
  };
}

/** The issue under which an invalid row counts. */
export function invalidCause(issues: readonly Issue[]): IssueCode {
  return leadingIssue(issues)?.code ?? 'value-missing';
}

/** The issues of a row; for a record, those about missing values. */
export function issuesOf(row: PreparedRow): readonly Issue[] {
  return (row.kind === 'record' ? row.omitted : 'issues' in row ? row.issues : undefined) ?? [];
}

/** A row ready to be written: normalised, with its keys. */
export type PreparedRow = { readonly line: number } & (
  | (PreparedRecord & {
      readonly kind: 'record';
      /** Its further records, where a cell lists several things; absent: there are none. */
      readonly further?: readonly PreparedRecord[];
      /** Issues of values that its records are sent without; absent: none. */
      readonly omitted?: readonly Issue[];
    })
  | { readonly kind: 'invalid' | 'skipped' | 'non-data'; readonly issues: readonly Issue[] }
  /** `lines` as in `Row`. */
  | { readonly kind: 'blank'; readonly lines?: number }
  /** A row that repeats a submission. */
  | { readonly kind: 'duplicate'; readonly of: number }
);

/** A row with its cells as they were read. Personal. */
export interface StagedRow {
  readonly row: PreparedRow;
  /** As JSON; null: they aren't kept. */
  readonly cells: string | null;
  /** As in `Row`, as JSON; null: none. */
  readonly strayQuotes: string | null;
}

/**
 * The next rows of a drop to be written, in line order, which decides which of two records with one key repeats or
 * amends the other. A text is the path of a file from `readRowsFile`.
 */
export type NextRows = Iterable<StagedRow> | string;

/** The properties that all submissions of a drop share. */
export interface StagingTarget {
  readonly dropId: number;
  readonly operation: Operation;
  readonly environment: string;
  /** True where a newer revision of an accepted record is sent without a decision. */
  readonly sendAmendments: boolean;
  /** The decision that makes the submissions; absent: staging does. */
  readonly decisionId?: number;
  /** True for corrected rows: a correction may return to content that an earlier correction replaced. */
  readonly isCorrection?: boolean;
}
