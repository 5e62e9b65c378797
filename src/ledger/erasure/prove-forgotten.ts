import { openSync, read, statSync } from 'node:fs';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import { mentionsOf } from '../../domain/text/mentions.js';
import { searchBytes } from '../../domain/text/search-bytes.js';
import { allKeptRows, type PlacedRow } from '../drops/rows/kept-rows.js';
import { contains, tableColumns } from '../store/dialect.js';
import { yieldToEventLoop } from '../store/pages.js';
import { all, count, type Ledger, query } from '../store/query.js';
import { isOneOf } from '../submissions/subjects.js';
import { learnerColumns } from './forgetting.js';

/** The result of searching the whole ledger for a person. */
export type Proof = Awaited<ReturnType<typeof proveForgotten>>;

/** Rows to read before yielding to other work. */
const ROWS_AT_ONCE = 5_000;

/**
 * Searches the whole ledger for a person: each text of each table, the cells of each row, and the bytes of its files,
 * whose free pages may still contain deleted text.
 * @param identifiers the person's identifiers in texts; []: searches only records, by the person's hashes.
 * @returns the numbers of bytes and kept rows that were searched, and the places with remaining data.
 */
export async function proveForgotten(
  ledger: Ledger,
  identifiers: readonly string[],
  hashes: readonly string[],
) {
  const mentions = mentionsOf(identifiers);
  const columns = await learnerColumns(ledger);
  const counts = new Map<string, number>();
  const add = (place: string, count: number) => {
    if (count > 0) counts.set(place, (counts.get(place) ?? 0) + count);
  };
  const records = query.selectFrom('submission as s').where('s.record', 'is not', null);
  add('submission.record', await count(ledger, records.where(isOneOf('s.learner_id', hashes))));
  let explained = 0;
  for (const needle of mentions.distinctive) {
    for await (const { place, text } of textsWith(ledger, needle)) {
      // Cells are checked below, because it depends on a cell's column whether it is about the person.
      if (!CELLS.includes(place) && mentions.inText(text)) add(place, 1);
      explained += text.toLowerCase().split(needle).length - 1;
    }
  }
  let rows = 0;
  for await (const page of allKeptRows(ledger, ROWS_AT_ONCE)) {
    rows += page.length;
    const isNaming = ({ dropId, cells }: PlacedRow) =>
      cells.some((cell, index) => mentions.inCell(cell, index === columns.get(dropId)));
    add('row.cells', page.filter(isNaming).length);
    await yieldToEventLoop();
  }
  let bytes = 0;
  let raw = 0;
  for await (const pieces of fileBytes(ledger)) {
    const searched = await searchBytes(pieces, mentions.distinctive);
    bytes += searched.bytes;
    raw += searched.hits;
  }
  // A longer identifier of another person may contain this one; only a hit that no kept text explains is a remnant.
  add('the bytes of its files', raw - explained);
  return { bytes, rows, remaining: [...counts].map(([place, count]) => ({ place, count })) };
}

const CELLS = ['row.cells', 'corrected_row.cells'];

/** Streams every text of any table that contains these characters, with its column: `decision.because`. Personal. */
export async function* textsWith(ledger: Ledger, needle: string) {
  for (const { table, column, isText } of await all(ledger, tableColumns)) {
    if (isText === 0) continue;
    const text = sql.ref(column);
    const matching = sql<{ text: string }>`select ${text} as text from ${sql.table(table)}
      where ${contains(sql`lower(${text})`, sql`lower(${needle})`)}`;
    for (const { text } of await all(ledger, matching)) yield { place: `${table}.${column}`, text };
  }
}

/**
 * The descriptors for reading ledger files, by device and inode. They are never closed: when a process closes any
 * descriptor of a file, POSIX drops all its locks on the file, including SQLite's, and another process could delete
 * the log of an open ledger (https://www.sqlite.org/howtocorrupt.html, "POSIX advisory locks canceled").
 */
const descriptors = new Map<string, number>();

const PIECE_BYTES = 1_048_576;

/** Streams the bytes of each existing file of the ledger, in pieces, as text with one character per byte. */
export async function* fileBytes({ file }: Ledger): AsyncGenerator<AsyncIterable<string>> {
  if (file === null) return;
  for (const suffix of ['', '-wal', '-shm']) {
    const path = file.path + suffix;
    const stat = statSync(path, { bigint: true, throwIfNoEntry: false });
    if (stat === undefined) continue;
    const key = `${stat.dev} ${stat.ino}`;
    const descriptor = descriptors.get(key) ?? openSync(path, 'r');
    descriptors.set(key, descriptor);
    yield pieces(descriptor);
  }
}

async function* pieces(descriptor: number): AsyncGenerator<string> {
  const buffer = Buffer.alloc(PIECE_BYTES);
  for (let position = 0; ; ) {
    const { bytesRead } = await promisify(read)(descriptor, buffer, 0, PIECE_BYTES, position);
    if (bytesRead === 0) return;
    yield buffer.toString('latin1', 0, bytesRead);
    position += bytesRead;
  }
}
