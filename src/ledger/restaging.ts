import { sql } from 'kysely';
import type { DropFormat } from '../domain/drop.js';
import { fileNamed } from './file-named.js';
import { all, change, first, type Ledger, query, writing } from './query.js';
import { noteLeftOut, type PreparedRow, type StagingTarget, submissionMaker } from './staging.js';

/** A published drop as it was read, for reading its rows again. */
export interface PublishedDrop {
  readonly dropId: number;
  readonly source: string;
  readonly file: string;
  readonly format: DropFormat | null;
  readonly headerLine: number;
  readonly header: readonly string[];
}

/** Published drops with this number or file name, oldest first. */
export function publishedDrops(ledger: Ledger, numberOrName: string): PublishedDrop[] {
  const asNumber = /^\d+$/.test(numberOrName) ? Number(numberOrName) : -1;
  return all(
    ledger,
    published.where(sql<boolean>`(d.drop_id = ${asNumber} or ${fileNamed(numberOrName)})`).orderBy('drop_id'),
  ).map(asRead);
}

/** The published drop with this number, and whose SHA-256 begins so where that is asked for; null: there is none. */
export function publishedDrop(ledger: Ledger, dropId: number, sha256 = ''): PublishedDrop | null {
  const found = first(ledger, published.where('drop_id', '=', dropId).where('sha256', 'like', `${sha256}%`));
  return found ? asRead(found) : null;
}

const published = query
  .selectFrom('drop as d')
  .select([
    'drop_id as dropId',
    'source',
    'file_name as file',
    'format',
    'header_line as headerLine',
    'header',
  ])
  .where('state', '=', 'published');

function asRead({
  header,
  headerLine,
  ...drop
}: Omit<PublishedDrop, 'headerLine' | 'header'> & {
  readonly headerLine: number | null;
  readonly header: string | null;
}): PublishedDrop {
  return { ...drop, headerLine: headerLine ?? 0, header: JSON.parse(header ?? '[]') as string[] };
}

/** Lines of a drop's invalid rows that no decision has dealt with yet. */
export function openInvalidLines(ledger: Ledger, dropId: number): number[] {
  return all(
    ledger,
    query
      .selectFrom('row as r')
      .leftJoin('resolution as z', (join) =>
        join.onRef('z.drop_id', '=', 'r.drop_id').onRef('z.line', '=', 'r.line'),
      )
      .select('r.line')
      .where('r.drop_id', '=', dropId)
      .where('r.disposition', '=', 'invalid')
      .where('z.line', 'is', null),
  ).map(({ line }) => line);
}

/** Lines of a drop's invalid rows that became submissions by this decision, whichever process carried it out. */
export function restagedLines(ledger: Ledger, dropId: number, decisionId: number): number[] {
  return all(
    ledger,
    query
      .selectFrom('resolution')
      .select('line')
      .where('drop_id', '=', dropId)
      .where('decision_id', '=', decisionId)
      .where('submission_id', 'is not', null),
  ).map(({ line }) => line);
}

/**
 * Turns invalid rows, which are records by now, into submissions, in one transaction. The rows keep their disposition;
 * a resolution says what became of them. Rows that were dealt with meanwhile are left out.
 * @returns how many became new submissions and how many repeat one.
 */
export function restageRows(
  ledger: Ledger,
  target: StagingTarget & { readonly decisionId: number },
  rows: readonly (PreparedRow & { kind: 'record' })[],
): { made: number; repeated: number } {
  return writing(ledger, () => {
    const counts = { made: 0, repeated: 0 };
    const make = submissionMaker(ledger, target);
    for (const row of rows) {
      const done = first(
        ledger,
        query
          .selectFrom('resolution')
          .select('line')
          .where('drop_id', '=', target.dropId)
          .where('line', '=', row.line),
      );
      if (done) continue;
      const { disposition, submissionId } = make(row);
      for (const other of row.further ?? []) make({ ...other, kind: 'record', line: row.line });
      const refusals = row.leftOut === undefined ? 0 : countIssues(ledger, target.dropId, row.line);
      noteLeftOut(ledger, target.dropId, row, disposition, refusals);
      change(
        ledger,
        query.insertInto('resolution').values({
          drop_id: target.dropId,
          line: row.line,
          decision_id: target.decisionId,
          submission_id: submissionId,
          successor_drop_id: null,
          successor_line: null,
        }),
      );
      counts[disposition === 'duplicate' ? 'repeated' : 'made'] += 1;
    }
    return counts;
  });
}

function countIssues(ledger: Ledger, dropId: number, line: number): number {
  const counted = first(
    ledger,
    query
      .selectFrom('issue')
      .select(sql<number>`count(*)`.as('count'))
      .where('drop_id', '=', dropId)
      .where('line', '=', line),
  );
  return counted?.count ?? 0;
}
