import { sql } from 'kysely';
import { type Cell, cellText } from '../../domain/row.js';
import type { RowRef } from '../../domain/row-ref.js';
import { cellsAt } from '../drops/rows/kept-rows.js';
import { leaveRoom } from '../leases/leave-room.js';
import { pagesOf } from '../store/pages.js';
import { all, first, type Ledger, query, writing } from '../store/query.js';
import { carryOut } from '../submissions/carry-out.js';
import { type DecisionFacts, endDecision, recordDecision, resultOf } from './decision-log.js';

/** An open invalid row, and the same row in a later drop, where it is skipped. */
interface SkippedSince {
  readonly row: RowRef;
  readonly by: RowRef;
}

/**
 * Resolves the open invalid rows of a source whose status was not understood and that this later drop holds as rows skipped by
 * their status: all cells but the status are equal, under the same headers in any order. A decision of whoever brings the drop
 * for each page of rows, with a transaction of its own. May be repeated, which resolves what is left.
 */
export async function closeSkipped(
  ledger: Ledger,
  dropId: number,
  runId: number,
  given: Pick<DecisionFacts, 'who' | 'because'>,
): Promise<void> {
  for (const page of pagesOf(await skippedSince(ledger, dropId))) {
    await writing(ledger, async (ledger) => {
      const facts = { ...given, kind: 'correct' as const, selection: { drop: dropId } };
      const decisionId = await recordDecision(ledger, facts);
      const intents = page.map(({ row, by }) => ({ kind: 'resolve-row', row, by: { row: by } }) as const);
      await carryOut(ledger, intents, { decisionId, runId });
      await endDecision(ledger, decisionId, await resultOf(ledger, decisionId));
    });
    await leaveRoom(ledger);
  }
}

async function skippedSince(ledger: Ledger, dropId: number): Promise<readonly SkippedSince[]> {
  const open = await openByDrop(ledger, dropId);
  if (open.size === 0) return [];
  const skipped = await skippedByStatus(ledger, dropId);
  const by = new Map<string, RowRef>();
  for await (const [line, cells] of cellsBeside(ledger, dropId, skipped)) by.set(cells, { dropId, line });
  const found: SkippedSince[] = [];
  for (const [openId, lines] of open) {
    for await (const [line, cells] of cellsBeside(ledger, openId, lines)) {
      const later = by.get(cells);
      if (later !== undefined) found.push({ row: { dropId: openId, line }, by: later });
    }
  }
  return found;
}

/** Lines of a drop, each with the header of its status column. */
type StatusColumns = ReadonlyMap<number, string | null>;

/** In line order. */
async function skippedByStatus(ledger: Ledger, dropId: number): Promise<StatusColumns> {
  const rows = await all(
    ledger,
    query
      .selectFrom('issue as i')
      .innerJoin('row as r', (join) =>
        join.onRef('r.drop_id', '=', 'i.drop_id').onRef('r.line', '=', 'i.line'),
      )
      .select(['i.line', 'i.column_name as column'])
      .where('i.drop_id', '=', dropId)
      .where('r.disposition', '=', sql.lit('skipped'))
      .where('i.code', 'in', ['status-not-completed', 'status-by-policy'])
      .orderBy('i.line'),
  );
  return new Map(rows.map(({ line, column }) => [line, column]));
}

/** The open rows with an unknown status in earlier drops of the same source, by drop. */
async function openByDrop(ledger: Ledger, dropId: number): Promise<ReadonlyMap<number, StatusColumns>> {
  const rows = await all(
    ledger,
    query
      .selectFrom('open_item as o')
      .innerJoin('drop_file as d', 'd.drop_id', 'o.drop_id')
      .innerJoin('issue as i', (join) =>
        join.onRef('i.drop_id', '=', 'o.drop_id').onRef('i.line', '=', 'o.line'),
      )
      .select(['i.drop_id as dropId', 'i.line', 'i.column_name as column'])
      .where('d.source', '=', sql<string>`(select source from drop_file where drop_id = ${dropId})`)
      .where('d.drop_id', '<', dropId)
      .where('d.state', '=', sql.lit('published'))
      .where('o.submission_id', '=', 0)
      .where('i.code', '=', 'status-unknown')
      .orderBy('i.drop_id')
      .orderBy('i.line'),
  );
  const drops = new Map<number, Map<number, string | null>>();
  for (const { dropId, line, column } of rows) {
    const lines = drops.get(dropId) ?? new Map();
    drops.set(dropId, lines.set(line, column));
  }
  return drops;
}

/** These lines of a drop, each with all its cells but the status in a comparable form; erased ones are left out. Personal. */
async function* cellsBeside(
  ledger: Ledger,
  dropId: number,
  lines: StatusColumns,
): AsyncGenerator<readonly [line: number, cells: string]> {
  const drop = query.selectFrom('drop_file').select('header').where('drop_id', '=', dropId);
  const header = JSON.parse((await first(ledger, drop))?.header ?? '[]') as string[];
  for (const [line, status] of lines) {
    const { cells } = await cellsAt(ledger, { dropId, line });
    if (cells !== null) yield [line, comparable(header, cells, status)];
  }
}

function comparable(header: readonly string[], cells: readonly Cell[], status: string | null): string {
  const texts = cells.map((cell, index) => [header[index] ?? '', cellText(cell).trim()] as const);
  const others = texts.filter(([column, text]) => column !== status && text !== '');
  return JSON.stringify(others.map((pair) => JSON.stringify(pair)).sort());
}
