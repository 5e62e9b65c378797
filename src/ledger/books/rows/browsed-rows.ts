import { sql } from 'kysely';
import { leadingIssue } from '../../../domain/issue.js';
import { mapSeries } from '../../../domain/process/series.js';
import { type TracedDrop, tracedDrop } from '../../drops/published-drops.js';
import { cellsAt } from '../../drops/rows/kept-rows.js';
import { issuesOf } from '../../drops/rows/row-at.js';
import { isAmong } from '../../store/dialect.js';
import { type Ledger, reading } from '../../store/query.js';
import { causeCode } from '../../submissions/columns.js';
import { fieldsIn } from '../../submissions/record/kept-record.js';
import { locateRows } from '../../submissions/select/locate-rows.js';
import type { ResolvedSelection } from '../../submissions/select/select-rows.js';
import {
  countListed,
  type ListedPlace,
  type PageQuery,
  placeOf,
  selectedPage,
} from '../../submissions/select/selection.js';
import { lastResponse, requestCount } from './attention.js';

/** A row of a page: its cells, its state, and the platform's latest answer. Personal. */
export type BrowsedRow = Awaited<ReturnType<typeof rowsAt>>[number];

/** The rows at these places, with all that explains their state. */
export async function rowsAt(ledger: Ledger, places: readonly ListedPlace[]) {
  const ids = places.map(({ submissionId }) => submissionId);
  const lives = await livesOf(ledger, ids);
  const drops = new Map<number, TracedDrop>();
  return mapSeries(places, async ({ dropId, line, submissionId, state }) => {
    const drop = drops.get(dropId) ?? (await tracedDrop(ledger, dropId));
    if (drop === undefined) throw new Error(`there is no drop ${dropId}`);
    drops.set(dropId, drop);
    const { file, operation, header, mapping, source, environment, sheet, publishedAt } = drop;
    const life = lives.get(submissionId);
    /** The issues of an invalid row; `value` and `message` are null once erased. */
    const issues = life === undefined ? await issuesOf(ledger, dropId, line) : [];
    return {
      ...{ dropId, line, file, operation, header, mapping, source, environment, sheet, publishedAt },
      /** `correctedBy`: the decision that corrected the present cells; null: they were read. */
      ...(await cellsAt(ledger, { dropId, line })),
      /** null for an invalid row. */
      submissionId: life?.submissionId ?? null,
      state: life?.state ?? state,
      /** The cause of its state; null: the state has none, or the row is invalid. */
      cause: life?.cause ?? null,
      /** The code for selections; for an invalid row, that of the issue under which it counts. */
      code: life?.code ?? leadingIssue(issues)?.code ?? 'unknown',
      /** The record to send; null for an invalid row, and once erased. */
      record: fieldsIn(life?.record ?? null),
      issues,
      requests: life?.requests ?? 0,
      /** The latest answer: the platform's text, or the reason why there was no answer; null: none was received. */
      answer: life?.responseId ? { status: life.status, detail: life.detail, errorId: life.errorId } : null,
      /** The part of the record that the platform rejected. */
      offending: life?.offending ?? null,
      /** The ISO time since which it is in its state. */
      since: life?.since ?? publishedAt,
    };
  });
}

async function livesOf(ledger: Ledger, ids: readonly number[]) {
  const lives = await ledger.db
    .selectFrom('submission_record as s')
    .leftJoin('response as p', (join) => join.on('p.response_id', '=', lastResponse))
    .leftJoin('response_text as t', 't.response_id', 'p.response_id')
    .select(['s.submission_id as submissionId', 's.state', 's.cause', causeCode.as('code')])
    .select(['s.encoded_record as record', 'p.response_id as responseId', 'p.status'])
    .select(['p.error_id as errorId', sql<string | null>`coalesce(t.detail, p.reason)`.as('detail')])
    .select(['t.source as offending', requestCount.as('requests'), latestChange.as('since')])
    .where(isAmong('s.submission_id', ids))
    .execute();
  return new Map(lives.map((life) => [life.submissionId, life]));
}

const latestChange = sql<string | null>`(select max(t2.at) from transition t2
  where t2.submission_id = s.submission_id)`;

/** The maximum number of invalid rows whose cells are searched for a learner or a content: they take tens of milliseconds. */
const MAX_SEARCHED = 15_000;

/**
 * Reads one page of a selection's rows, in the order of drops and lines. Throws OperatorError for a submission, a line, a run or
 * a file that doesn't exist.
 * @returns `next`: the place after which the next page starts; null: this is the last page; `count`: null: counting the rows
 * would take too long; `unsearched`: the number of invalid rows that were not searched for the learner's identifier.
 */
export async function rowPage(ledger: Ledger, { selection, learners }: ResolvedSelection, page: PageQuery) {
  return reading(ledger, async (ledger) => {
    const { filter, unsearched } = await locateRows(ledger, selection, learners, { maxRows: MAX_SEARCHED });
    const rows = await selectedPage(ledger, filter, { ...page, limit: page.limit + 1 });
    const shown = rows.slice(0, page.limit).map(placeOf);
    return {
      rows: await rowsAt(ledger, shown),
      next: rows.length > page.limit ? (shown.at(-1) ?? null) : null,
      count: await countListed(ledger, filter),
      unsearched,
    };
  });
}
