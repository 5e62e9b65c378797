import { sql } from 'kysely';
import { inTurn } from '../../../domain/process/in-turn.js';
import type { FieldValue } from '../../../domain/record.js';
import type { Cell } from '../../../domain/row.js';
import type { RowRef } from '../../../domain/row-ref.js';
import type { State } from '../../../domain/submission.js';
import type { ReportSelection } from '../../drops/report-selection.js';
import { cellsAt } from '../../drops/rows/kept-rows.js';
import { issuesOf, type RowIssue } from '../../drops/rows/row-issues.js';
import { all, boundLimit, type Ledger, query } from '../../store/query.js';
import { fieldsIn } from '../../submissions/record/record-text.js';
import { type AttentionCause, lastResponse, openItemsIn } from './attention.js';

/** A row that needs a person, with all that says why. Personal. */
export interface AttentionSample {
  readonly dropId: number;
  readonly file: string;
  readonly operation: string;
  readonly line: number;
  readonly state: State | 'invalid';
  /** The file's header and its cells as they were read; null for cells that were erased. */
  readonly header: readonly string[];
  readonly cells: readonly Cell[] | null;
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

/** The first rows of the selection with one cause of `causesIn`, in the order in which they came in. */
export async function attentionSamples(
  ledger: Ledger,
  selection: ReportSelection,
  cause: AttentionCause,
  limit: number,
): Promise<AttentionSample[]> {
  const rowAt = rowReader(ledger);
  const { state } = cause;
  if (state === 'invalid') {
    return inTurn(await invalidLines(ledger, selection, cause.cause, limit), async ({ dropId, line }) => ({
      ...(await rowAt({ dropId, line })),
      state,
      record: null,
      issues: await issuesOf(ledger, dropId, line),
      requests: 0,
      answer: null,
    }));
  }
  return inTurn(
    await submissionsIn(ledger, selection, cause, limit),
    async ({ dropId, line, record, requests, responseId, ...answer }) => ({
      ...(await rowAt({ dropId, line })),
      state,
      record: fieldsIn(record),
      issues: [],
      requests,
      answer: responseId === null ? null : answer,
    }),
  );
}

/** A row of a file as it was read. Personal. */
export interface ReadRow
  extends Pick<AttentionSample, 'dropId' | 'file' | 'operation' | 'line' | 'header' | 'cells' | 'mapping'> {
  readonly source: string;
  readonly environment: string;
  /** The sheet that was read; null for text files. */
  readonly sheet: string | null;
  /** When the drop came to count; null while it doesn't. */
  readonly publishedAt: string | null;
}

/** Reads rows of files; rows that are asked for in order are read fastest. */
export function rowReader(ledger: Ledger): (rowRef: RowRef) => Promise<ReadRow> {
  const dropOf = remember(async (dropId) => readDrop(ledger, dropId));
  return async ({ dropId, line }) => (await dropOf(dropId)).at(line);
}

async function invalidLines(
  ledger: Ledger,
  selection: ReportSelection,
  code: AttentionCause['cause'],
  limit: number,
) {
  return all(
    ledger,
    openItemsIn(selection)
      .select(['o.drop_id as dropId', 'o.line'])
      .where('o.state', '=', sql.lit('invalid'))
      .where('o.cause', '=', code)
      .orderBy('o.drop_id')
      .orderBy('o.line')
      .limit(boundLimit(limit)),
  );
}

async function submissionsIn(
  ledger: Ledger,
  selection: ReportSelection,
  { cause, code, state }: AttentionCause,
  limit: number,
) {
  const items = openItemsIn(selection)
    .select('o.submission_id')
    .where('o.state', '=', state)
    .where('o.cause', '=', cause)
    .where('o.code', '=', code)
    .orderBy('o.drop_id')
    .orderBy('o.line')
    .orderBy('o.submission_id')
    .limit(boundLimit(limit));
  return all(
    ledger,
    query
      .selectFrom(items.as('i'))
      .innerJoin('submission_record as s', 's.submission_id', 'i.submission_id')
      .leftJoin('response as p', (join) => join.on('p.response_id', '=', lastResponse))
      .leftJoin('response_text as t', 't.response_id', 'p.response_id')
      .select([
        's.drop_id as dropId',
        's.line',
        's.told as record',
        'p.response_id as responseId',
        'p.status',
        sql<string | null>`coalesce(t.detail, p.reason)`.as('detail'),
        'p.error_id as errorId',
        sql<number>`(select count(*) from attempt_submission x where x.submission_id = s.submission_id)`.as(
          'requests',
        ),
      ])
      .orderBy('s.drop_id')
      .orderBy('s.line')
      .orderBy('s.submission_id'),
  );
}

async function readDrop(ledger: Ledger, dropId: number) {
  const [drop] = await all(
    ledger,
    query
      .selectFrom('drop_file')
      .select(['file_name as file', 'operation', 'header', 'mapping', 'source', 'environment', 'sheet'])
      .select('published_at as publishedAt')
      .where('drop_id', '=', dropId),
  );
  if (!drop) throw new Error(`a row of drop ${dropId}, which there is not`);
  const header = JSON.parse(drop.header ?? '[]') as string[];
  const mapping = JSON.parse(drop.mapping ?? '{}') as Record<string, string>;
  return {
    at: async (line: number): Promise<ReadRow> => ({
      ...drop,
      dropId,
      header,
      mapping,
      line,
      cells: await cellsAt(ledger, { dropId, line }),
    }),
  };
}

function remember<T>(make: (id: number) => Promise<T>): (id: number) => Promise<T> {
  const known = new Map<number, T>();
  return async (id) => {
    const value = known.get(id) ?? (await make(id));
    known.set(id, value);
    return value;
  };
}
