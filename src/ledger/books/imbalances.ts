import { sql } from 'kysely';
import { inTurn } from '../../domain/process/in-turn.js';
import { DISPOSITIONS } from '../../domain/row.js';
import { keptRows } from '../drops/rows/row-blocks.js';
import { all, type Ledger, prepared, query } from '../store/query.js';
import { attemptIn, dropDispositions, type ReportSelection } from './books.js';
import { type Equation, type EquationName, equationsIn } from './equations.js';

/** One control equation that doesn't add up. */
export interface Imbalance {
  readonly equation: EquationName;
  /** The drop's source and file, or the environment. */
  readonly subject: string;
  readonly expected: number;
  readonly found: number;
  /** Up to 20 surplus or missing rows or requests, and the counts that differ, for people to look at. */
  readonly examples: readonly string[];
}

/**
 * The control equations (promise 1) of the selection that don't hold, each with its subject. Empty: the books balance. Sums over
 * several drops or environments aren't repeated here: they fail where a part does.
 */
export async function imbalances(
  ledger: Ledger,
  selection: ReportSelection = {},
  known?: readonly Equation[],
): Promise<Imbalance[]> {
  const equations = known ?? (await equationsIn(ledger, selection));
  return inTurn(
    equations.filter(({ over, holds }) => !holds && (over === 'drop' || over === 'environment')),
    async (broken) => ({
      equation: broken.equation,
      subject: broken.subject,
      expected: broken.left,
      found: broken.right,
      examples: await examplesOf(ledger, selection, broken),
    }),
  );
}

/** People don't read more lines than these. */
const EXAMPLES = 20;

async function examplesOf(
  ledger: Ledger,
  selection: ReportSelection,
  { equation, subject, dropId }: Equation,
): Promise<string[]> {
  if (dropId === null) return brokenAttempts(ledger, selection, subject);
  if (equation === 'cells') return linesWithoutCells(ledger, dropId);
  return [
    ...(await dispositionDifferences(ledger, dropId)),
    ...(await linesCountedTwice(ledger, dropId)),
    ...(equation === 'found' ? await linesNowhere(ledger, dropId) : []),
  ];
}

/** The control totals that differ from the rows in the ledger. */
async function dispositionDifferences(ledger: Ledger, dropId: number): Promise<string[]> {
  const recorded = dropDispositions(ledger, dropId);
  const found = await all(
    ledger,
    query
      .selectFrom('drop_row')
      // A row of several records is one row.
      .select([
        'disposition',
        sql<number>`iif(disposition = 'blank', sum(lines), count(distinct line))`.as('count'),
      ])
      .where('drop_id', '=', dropId)
      .groupBy('disposition'),
  );
  return DISPOSITIONS.flatMap((name) => {
    const count = found.find(({ disposition }) => disposition === name)?.count ?? 0;
    return count === recorded[name] ? [] : [`${name}: ${recorded[name]} recorded, ${count} there`];
  });
}

/** Lines with more than one disposition. */
async function linesCountedTwice(ledger: Ledger, dropId: number): Promise<string[]> {
  const doubled = await all(
    ledger,
    query
      .selectFrom('drop_row')
      .select(['line', sql<string>`group_concat(disposition, ' and ')`.as('dispositions')])
      .where('drop_id', '=', dropId)
      .groupBy('line')
      .having(sql`count(*)`, '>', 1)
      .limit(EXAMPLES),
  );
  return doubled.map(({ line, dispositions }) => `line ${line} is ${dispositions}`);
}

/** Lines that were read, as the kept cells show, and have no disposition. */
async function linesNowhere(ledger: Ledger, dropId: number): Promise<string[]> {
  const isThere = prepared(ledger, 'select 1 from drop_row where drop_id = ? and line = ? limit 1');
  const missing: string[] = [];
  for await (const { line } of keptRows(ledger, dropId)) {
    if (isThere.get(dropId, line) === undefined) missing.push(`line ${line} was read and is nowhere`);
    if (missing.length === EXAMPLES) break;
  }
  return missing;
}

/** Lines whose cells no block holds. */
async function linesWithoutCells(ledger: Ledger, dropId: number): Promise<string[]> {
  const without = await all(
    ledger,
    query
      .selectFrom('drop_row as r')
      .select('r.line')
      .where('r.drop_id', '=', dropId)
      .where(
        sql<boolean>`not exists (select 1 from row_block b
          where b.drop_id = r.drop_id and r.line between b.first_line and b.last_line)`,
      )
      .orderBy('r.line')
      .limit(EXAMPLES),
  );
  return without.map(({ line }) => `line ${line} has no kept cells`);
}

async function brokenAttempts(
  ledger: Ledger,
  selection: ReportSelection,
  environment: string,
): Promise<string[]> {
  const broken = await all(
    ledger,
    query
      .selectFrom('books_attempt as a')
      .leftJoin('attempt_submission as x', 'x.attempt_id', 'a.attempt_id')
      .leftJoin('submission as s', 's.submission_id', 'x.submission_id')
      .leftJoin('drop_file as d', 'd.drop_id', 's.drop_id')
      .select(['a.attempt_id as attemptId', 'a.answered', 'd.file_name as file', 's.line'])
      .where('a.environment', '=', environment)
      .where(selection.runId === undefined ? sql<boolean>`true` : attemptIn(selection))
      .orderBy('a.attempt_id')
      .limit(EXAMPLES),
  );
  return broken.map(
    ({ attemptId, answered, file, line }) =>
      `request ${attemptId} for ${file ?? 'no file'}:${line ?? 'no row'} ${
        answered ? 'has its answer and is still under way' : 'has no answer and is not under way'
      }`,
  );
}
