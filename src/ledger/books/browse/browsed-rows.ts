import { sql } from 'kysely';
import type { AttentionCause } from '../../../documents/report.js';
import type { Cause } from '../../../domain/cause.js';
import { leadingIssue } from '../../../domain/issue.js';
import type { ReportSelection } from '../../drops/report-selection.js';
import { issuesOf } from '../../drops/rows/row-issues.js';
import { isAmong } from '../../store/dialect.js';
import { all, boundLimit, type Ledger } from '../../store/query.js';
import { causeCode } from '../../submissions/columns.js';
import { fieldsIn } from '../../submissions/record/record-text.js';
import type { ListedPlace } from '../../submissions/select/selection.js';
import { lastResponse, openItemsIn } from '../rows/attention.js';
import { type AttentionSample, rowReader } from '../rows/row-reader.js';

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
