import { sql } from 'kysely';
import type { SheetLeft } from '../../../domain/drop.js';
import type { IssueCode } from '../../../domain/issue.js';
import { decisionsNumbered, type KeptDecision } from '../../decisions/decision-log.js';
import { rowIssues } from '../../drops/drops.js';
import { all, first, type Ledger, query, reading } from '../../store/query.js';
import { unresolved } from '../rows/attention.js';
import { type ListedDropFile, listedDrops } from './drop-page.js';
import { type DropGroup, groupsOfDrops } from './drop-states.js';

/** All facts about one drop but its rows. */
export interface DropFile extends ListedDropFile {
  readonly sha256: string;
  readonly format: 'csv' | 'xlsx' | null;
  readonly sheet: string | null;
  readonly headerLine: number | null;
  readonly header: readonly string[];
  /** Field of the operation -> header it was read from. */
  readonly mapping: Readonly<Record<string, string>>;
  readonly hiddenRows: number;
  readonly sheetsLeft: readonly SheetLeft[];
  /** The rows that were declared; null where there is no such bound. */
  readonly expected: { readonly min: number | null; readonly max: number | null };
  /** Each time that a file with its bytes came in, the first included. */
  readonly arrivals: readonly { readonly at: string; readonly file: string; readonly runId: number }[];
  /** Times at which runs found that the file had changed after it was taken in. */
  readonly changedAt: readonly string[];
  /** Why its submissions are not delivered, or were closed. */
  readonly groups: readonly Omit<DropGroup, 'dropId'>[];
  /** Why its rows became no record, for rows that are still open; a row counts under each of its codes. */
  readonly invalid: readonly { readonly code: IssueCode; readonly count: number }[];
  /** Drops that correct rows of it, and drops whose rows it corrects. */
  readonly correctedBy: readonly { readonly dropId: number; readonly file: string; readonly rows: number }[];
  readonly corrects: readonly { readonly dropId: number; readonly file: string; readonly rows: number }[];
  /** The decisions that resolved rows of it or made submissions of them, newest first. */
  readonly decisions: readonly KeptDecision[];
}

/** Arrivals that are read of one drop: the latest. */
const MOST_ARRIVALS = 100;

/** Reads all facts about one drop but its rows; null where there is none of this number. */
export async function readDrop(ledger: Ledger, dropId: number): Promise<DropFile | null> {
  return reading(ledger, async (ledger) => {
    const [listed] = await listedDrops(ledger, [dropId]);
    const facts = await first(
      ledger,
      query
        .selectFrom('drop_file')
        .select(['sha256', 'format', 'sheet', 'header_line as headerLine', 'header', 'mapping'])
        .select(['hidden_rows as hiddenRows', 'sheets_left as sheetsLeft'])
        .select(['expected_min as min', 'expected_max as max'])
        .where('drop_id', '=', dropId),
    );
    if (listed === undefined || facts === undefined) return null;
    const { header, mapping, sheetsLeft, min, max, ...kept } = facts;
    return {
      ...listed,
      ...kept,
      header: JSON.parse(header ?? '[]') as string[],
      mapping: JSON.parse(mapping ?? '{}') as Record<string, string>,
      sheetsLeft: JSON.parse(sheetsLeft ?? '[]') as SheetLeft[],
      expected: { min, max },
      arrivals: await all(
        ledger,
        query
          .selectFrom('arrival')
          .select(['arrived_at as at', 'file_name as file', 'run_id as runId'])
          .where('drop_id', '=', dropId)
          .orderBy('arrival_id', 'desc')
          .limit(MOST_ARRIVALS),
      ),
      changedAt: (
        await all(
          ledger,
          query
            .selectFrom('changed_file')
            .select('noticed_at as at')
            .where('drop_id', '=', dropId)
            .orderBy('noticed_at'),
        )
      ).map(({ at }) => at),
      groups: (await groupsOfDrops(ledger, [dropId])).map(({ dropId: _, ...group }) => group),
      invalid: listed.invalidOpen === 0 ? [] : await invalidIn(ledger, dropId),
      correctedBy: await drops(ledger, 'x.of_drop_id', 'x.drop_id', dropId),
      corrects: await drops(ledger, 'x.drop_id', 'x.of_drop_id', dropId),
      decisions: await decisionsOn(ledger, dropId),
    };
  });
}

async function invalidIn(ledger: Ledger, dropId: number) {
  return all(
    ledger,
    rowIssues()
      .select(['i.code', sql<number>`count(distinct i.line)`.as('count')])
      .where('i.drop_id', '=', dropId)
      .where('r.disposition', '=', 'invalid')
      .where(unresolved)
      .groupBy('i.code')
      .orderBy('count', 'desc'),
  );
}

async function drops(
  ledger: Ledger,
  of: 'x.drop_id' | 'x.of_drop_id',
  other: 'x.drop_id' | 'x.of_drop_id',
  dropId: number,
) {
  return all(
    ledger,
    query
      .selectFrom('redrop_row as x')
      .innerJoin('drop_file as d', 'd.drop_id', other)
      .select(['d.drop_id as dropId', 'd.file_name as file', sql<number>`count(*)`.as('rows')])
      .where(of, '=', dropId)
      .where('d.state', '=', 'published')
      .groupBy('d.drop_id')
      .orderBy('d.drop_id', 'desc'),
  );
}

async function decisionsOn(ledger: Ledger, dropId: number): Promise<KeptDecision[]> {
  const ids = await all(
    ledger,
    query
      .selectFrom(
        sql<{ id: number }>`(select decision_id as id from resolution where drop_id = ${dropId}
          union select s.decision_id from submission s indexed by submission_rare
          where s.drop_id = ${dropId} and s.decision_id is not null)`.as('decided'),
      )
      .select('decided.id'),
  );
  const decisions = await decisionsNumbered(
    ledger,
    ids.map(({ id }) => id),
  );
  return [...decisions.values()].sort((a, b) => b.decisionId - a.decisionId);
}
