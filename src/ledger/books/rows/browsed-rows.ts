import { sql } from 'kysely';
import type { AttentionCause } from '../../../documents/report.js';
import type { RowIssue } from '../../../documents/trace.js';
import type { Cause } from '../../../domain/cause.js';
import { leadingIssue } from '../../../domain/issue.js';
import type { FieldValue } from '../../../domain/record.js';
import type { Cell } from '../../../domain/row.js';
import type { RowRef } from '../../../domain/row-ref.js';
import type { State } from '../../../domain/submission.js';
import { type TracedDrop, tracedDrop } from '../../drops/published-drops.js';
import type { ReportSelection } from '../../drops/report-selection.js';
import { cellsAt } from '../../drops/rows/kept-rows.js';
import { issuesOf } from '../../drops/rows/row-at.js';
import { isAmong } from '../../store/dialect.js';
import { all, boundLimit, type Ledger, reading } from '../../store/query.js';
import { causeCode } from '../../submissions/columns.js';
import { fieldsIn } from '../../submissions/record/record-text.js';
import { locateRows } from '../../submissions/select/locate-rows.js';
import type { ResolvedSelection } from '../../submissions/select/select-rows.js';
import {
  countListed,
  type ListedPlace,
  type PageAsked,
  placesOf,
} from '../../submissions/select/selection.js';
import { lastResponse, openItemsIn } from './attention.js';

/** A row of a page: as it was read, what it became, and what the platform said last. Personal. */
export interface BrowsedRow extends AttentionSample {
  readonly source: string;
  readonly environment: string;
  /** The sheet that was read; null for text files. */
  readonly sheet: string | null;
  /** When the drop came to count; null while it doesn't. */
  readonly publishedAt: string | null;
  /** null for a row that became no record. */
  readonly submissionId: number | null;
  /** The cause of its state; null where the state says all, and for a row that became no record. */
  readonly cause: Cause | null;
  /** The code by which people select it; for a row that became no record that of the issue under which it counts. */
  readonly code: string;
  /** The part of the record that the platform's refusal names. */
  readonly offending: string | null;
  /** ISO time since which it is in its state. */
  readonly since: string | null;
}

/** The first rows of the selection with one cause of `causesIn`, in the order in which they came in. */
export async function attentionSamples(
  ledger: Ledger,
  selection: ReportSelection,
  { cause, code, state }: AttentionCause,
  limit: number,
): Promise<BrowsedRow[]> {
  const places = await all(
    ledger,
    openItemsIn(selection)
      .select(['o.drop_id as dropId', 'o.line', 'o.submission_id as submissionId', 'o.state'])
      .where('o.state', '=', state)
      .where('o.cause', '=', cause)
      .where('o.code', '=', code)
      .orderBy('o.drop_id')
      .orderBy('o.line')
      .orderBy('o.submission_id')
      .limit(boundLimit(limit)),
  );
  return rowsAt(ledger, places);
}

/** The rows at these places, with all that says why they are as they are. */
export async function rowsAt(ledger: Ledger, places: readonly ListedPlace[]): Promise<BrowsedRow[]> {
  const lives = await livesOf(
    ledger,
    places.flatMap(({ submissionId }) => (submissionId === 0 ? [] : [submissionId])),
  );
  const rowAt = rowReader(ledger);
  const rows: BrowsedRow[] = [];
  for (const { dropId, line, submissionId, state } of places) {
    const read = await rowAt({ dropId, line });
    const life = lives.get(submissionId);
    if (life === undefined) {
      const issues = await issuesOf(ledger, dropId, line);
      const code = leadingIssue(issues)?.code ?? 'unknown';
      const none = {
        submissionId: null,
        record: null,
        cause: null,
        requests: 0,
        answer: null,
        offending: null,
      };
      rows.push({ ...read, ...none, state, issues, code, since: read.publishedAt });
      continue;
    }
    const { record, responseId, status, detail, errorId, since, ...known } = life;
    rows.push({
      ...read,
      ...known,
      record: fieldsIn(record),
      issues: [],
      since: since ?? read.publishedAt,
      answer: responseId === null ? null : { status, detail, errorId },
    });
  }
  return rows;
}

async function livesOf(ledger: Ledger, ids: readonly number[]) {
  if (ids.length === 0) return new Map<number, never>();
  const found = await ledger.db
    .selectFrom('submission_record as s')
    .leftJoin('response as p', (join) => join.on('p.response_id', '=', lastResponse))
    .leftJoin('response_text as t', 't.response_id', 'p.response_id')
    .select([
      's.submission_id as submissionId',
      's.state',
      's.cause',
      causeCode.as('code'),
      's.told as record',
      'p.response_id as responseId',
      'p.status',
      sql<string | null>`coalesce(t.detail, p.reason)`.as('detail'),
      'p.error_id as errorId',
      't.source as offending',
      sql<number>`(select count(*) from attempt_submission x where x.submission_id = s.submission_id)`.as(
        'requests',
      ),
      sql<string | null>`(select max(t2.at) from transition t2 where t2.submission_id = s.submission_id)`.as(
        'since',
      ),
    ])
    .where(isAmong('s.submission_id', ids))
    .execute();
  return new Map(found.map((life) => [life.submissionId, life]));
}

/** A row that needs a person, with all that says why. Personal. */
export interface AttentionSample {
  readonly dropId: number;
  readonly file: string;
  readonly operation: string;
  readonly line: number;
  readonly state: State | 'invalid';
  readonly header: readonly string[];
  /** The row's present cells; null once erased. */
  readonly cells: readonly Cell[] | null;
  /** The decision that gave the row these cells; null: they were read. */
  readonly correctedBy: number | null;
  /** For each field of the operation, the header it was read from. */
  readonly mapping: Readonly<Record<string, string>>;
  /** The record that is or was to be sent; null for a row that became no record, and once erased. */
  readonly record: Readonly<Record<string, FieldValue>> | null;
  /** Why it became no record; value and sentence are null once erased. */
  readonly issues: readonly RowIssue[];
  readonly requests: number;
  /** The last answer; null where no answer came, or no request was sent. */
  readonly answer: {
    readonly status: number | null;
    /** The platform's words, else the reason why it didn't answer. */
    readonly detail: string | null;
    readonly errorId: string | null;
  } | null;
}

/** Reads rows of files; each drop is read once. */
function rowReader(ledger: Ledger) {
  const drops = new Map<number, TracedDrop>();
  return async ({ dropId, line }: RowRef) => {
    const drop = drops.get(dropId) ?? (await tracedDrop(ledger, dropId));
    if (drop === undefined) throw new Error(`a row of drop ${dropId}, which there is not`);
    drops.set(dropId, drop);
    const { file, operation, header, mapping, source, environment, sheet, publishedAt } = drop;
    const read = { file, operation, header, mapping, source, environment, sheet, publishedAt };
    return { dropId, line, ...read, ...(await cellsAt(ledger, { dropId, line })) };
  };
}

/** Rows without a record whose cells are searched for a learner or a content: some ten milliseconds. */
const MAX_SEARCHED = 15_000;

/**
 * Reads one page of a selection's rows, in the order of drops and lines. Throws OperatorError for a submission, a line, a run or
 * a file that doesn't exist.
 * @returns `next`: where to go on, null where there are no more rows; `count`: null where counting them takes too long; `unsearched`:
 *   kept rows without a record that were not searched for the learner's identifier.
 */
export async function rowPage(ledger: Ledger, { selection, learners }: ResolvedSelection, asked: PageAsked) {
  return reading(ledger, async (ledger) => {
    const { filter, unsearched } = await locateRows(ledger, selection, learners, MAX_SEARCHED);
    const places = await placesOf(ledger, filter, { ...asked, limit: asked.limit + 1 });
    const shown = places.slice(0, asked.limit);
    return {
      rows: await rowsAt(ledger, shown),
      next: places.length > asked.limit ? (shown.at(-1) ?? null) : null,
      count: await countListed(ledger, filter),
      unsearched,
    };
  });
}
