import { hash } from 'node:crypto';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Database, Statement } from 'better-sqlite3';
import { type Issue, type IssueCode, leadingIssue } from '../../../domain/issue.js';
import type { Content } from '../../../domain/record.js';
import type { PreparedRecord } from '../../../operations/keys.js';
import type { Operation } from '../../../operations/operation.js';
import { openDatabase } from '../../store/sqlite/driver.js';

/**
 * Rows wait in tables until the ledger's statements take them in, a batch at a time: a million rows that a thread of its own has
 * written into such tables cost the writer of the ledger no object, and a third of the time of an insert for each.
 * `temp`: tables of the connection; `reading`: those of a file.
 */
export type ReadSchema = 'temp' | 'reading';

/**
 * One row for each record, and for each row that is none, in line order. `kind`: that of the row; `record` for the first record of
 * a row and `further` for its others. `cause`: the issue under which an invalid row counts. `formers`: JSON of the keys under
 * former identifiers of its learner. Hashes are hex digits: the reader's thread has more to do than the writer's.
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

/** For a schema of SQLite's. */
export const READ_TABLES = (schema: string) =>
  tables(`create table if not exists ${schema}.`, 'integer', 'strict');

/** For the session of a database; a transaction leaves nothing in them. */
export const SESSION_TABLES = tables('create temp table if not exists ', 'bigint', 'on commit delete rows');

/** Writes rows into a file of their own, which is to be staged as one batch. */
export type ReadRowsFile = ReturnType<typeof readRowsFile>;

/** A new file of read rows, complete once closed. Nothing of it is synced: after a crash the rows are read again. */
export function readRowsFile(path: string) {
  const sqlite = openDatabase(path);
  sqlite.pragma('page_size = 16384');
  sqlite.pragma('journal_mode = off');
  sqlite.pragma('synchronous = off');
  sqlite.exec(READ_TABLES('main'));
  sqlite.exec('begin');
  const write = rowWriter(sqlite, 'main');
  return {
    add: write,
    close() {
      sqlite.exec('commit');
      sqlite.close();
    },
  };
}

/** How the paths of a source's files of read rows begin. @param beside as the ledger has it. @param source left out: all sources'. */
export function readFilesOf(beside: string, source?: string): string {
  const beginning = `${beside}-reading-`;
  return source === undefined ? beginning : `${beginning}${hash('sha256', source, 'hex').slice(0, 8)}-`;
}

/** Deletes files of read rows, such as a process that was killed has left. */
export function removeReadFiles(beginning: string): void {
  const folder = dirname(beginning);
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder)) {
    if (name.startsWith(basename(beginning))) rmSync(join(folder, name), { force: true });
  }
}

/** The function that writes rows into the tables of this schema. */
export function rowWriter(sqlite: Database, schema: string): (row: StagedRow) => void {
  const insertOther = sqlite.prepare(`insert into ${schema}.read_row
    (line, kind, lines, cause, submission_id, cells, stray_quotes) values (?, ?, ?, ?, ?, ?, ?)`);
  const insertContent = sqlite.prepare(`insert into ${schema}.read_content values (?, ?, ?, ?, ?, ?)
    on conflict do update set title = excluded.title where title is null`);
  const insertIssue = sqlite.prepare(`insert into ${schema}.read_issue values (?, ?, ?, ?, ?, ?, ?)`);
  /** By what nearly all records of a file have in common, which stands in the text: each value that is bound costs. */
  const inserts = new Map<string | undefined, Statement>();
  const insertRecord = (type: string | undefined) => {
    const known = inserts.get(type);
    if (known !== undefined) return known;
    const literal = type === undefined ? 'null' : `'${type.replaceAll("'", "''")}'`;
    const made = sqlite.prepare(`insert into ${schema}.read_row
      (kind, lines, learner_type, line, learner_hash, learner, content_hash, occurred_at, digest, record, cells)
      values ('record', 1, ${literal}, ?, ?, ?, ?, ?, ?, ?, ?)`);
    inserts.set(type, made);
    return made;
  };
  const amend = sqlite.prepare(
    `update ${schema}.read_row set kind = ?, formers = ?, stray_quotes = ? where number = ?`,
  );
  const isEntitled = new Map<string, boolean>();

  function addContent(hash: string, { type, idType, id, part, title }: Content): void {
    const known = isEntitled.get(hash);
    if (known || (known === false && title === null)) return;
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
    const at = keys.occurredAt ?? '';
    const { lastInsertRowid } = insertRecord(learner?.type).run(
      line,
      keys.learner,
      learner?.id,
      keys.content,
      at,
      keys.digest,
      text,
      cells,
    );
    if (kind === 'record' && formers === undefined && strayQuotes === null) return;
    amend.run(kind, formers === undefined ? null : JSON.stringify(formers), strayQuotes, lastInsertRowid);
  }

  return ({ row, cells, strayQuotes }) => {
    const { line } = row;
    if (row.kind === 'record') {
      writeRecord(line, 'record', row, cells, strayQuotes);
      for (const further of row.further ?? []) writeRecord(line, 'further', further, null, null);
    } else {
      const cause = row.kind === 'invalid' ? invalidCause(row.issues) : null;
      const lines = row.kind === 'blank' ? (row.lines ?? 1) : 1;
      insertOther.run(
        line,
        row.kind,
        lines,
        cause,
        row.kind === 'duplicate' ? row.of : null,
        cells,
        strayQuotes,
      );
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

/** The issues of a row: of a record those about values that it lacks. */
export function issuesOf(row: PreparedRow): readonly Issue[] {
  return (row.kind === 'record' ? row.leftOut : 'issues' in row ? row.issues : undefined) ?? [];
}

/** A row ready to be written: normalised, with its keys. */
export type PreparedRow = { readonly line: number } & (
  | (PreparedRecord & {
      readonly kind: 'record';
      /** Its further records, where a cell lists several things; absent: there is none. */
      readonly further?: readonly PreparedRecord[];
      /** Values of the row that its records lack; absent: none. */
      readonly leftOut?: readonly Issue[];
    })
  | { readonly kind: 'invalid' | 'skipped' | 'non-data'; readonly issues: readonly Issue[] }
  /** `lines` as in `Row`. */
  | { readonly kind: 'blank'; readonly lines?: number }
  /** A row that is known to repeat a submission before it is written. */
  | { readonly kind: 'duplicate'; readonly of: number }
);

/** A row with what is kept of it as it was read, each as JSON. Personal. */
export interface StagedRow {
  readonly row: PreparedRow;
  /** null: none is kept. */
  readonly cells: string | null;
  /** As in `Row`; null: none. */
  readonly strayQuotes: string | null;
}

/** Rows of a drop ready to be written, which follow the rows written before. */
export interface PreparedRows {
  /**
   * In line order, which decides which of two records with one key repeats or amends the other. A text: the path of a file with the
   * rows, as `readRowsFile` writes it.
   */
  readonly rows: Iterable<StagedRow> | string;
}

/** What all rows of a drop have in common. */
export interface StagingTarget {
  readonly dropId: number;
  readonly operation: Operation;
  readonly environment: string;
  /** True where a newer revision of an accepted record is sent without a person's decision. */
  readonly sendAmendments: boolean;
  /** The decision that makes the submissions; absent: staging does. */
  readonly decisionId?: number;
  /** True where the rows are corrected ones: a correction may return to content that an earlier correction replaced. */
  readonly isCorrection?: boolean;
}
