import { z } from 'zod';
import { BROWSABLE } from '../../../actions/rows/selectable.js';
import { unknownLearnersSchema } from '../../../documents/decisions.js';
import { filesSchema } from '../../../documents/files.js';
import { reportSchema } from '../../../documents/report.js';
import { rowsSchema } from '../../../documents/rows.js';
import {
  decisionsSchema,
  listedDecisionSchema,
  listedRunSchema,
  runsSchema,
} from '../../../documents/run.js';
import { healthSchema, statusSchema } from '../../../documents/status.js';
import { traceSchema } from '../../../documents/trace.js';
import { DOORS } from '../../../domain/decider.js';
import { FILE_STANDINGS } from '../../../domain/files/file-standing.js';
import { RUN_ENDS, RUN_TRIGGERS } from '../../../domain/process/run.js';
import { SEE_ROWS } from '../../pages/page.js';
import { RequestRefusal } from '../../work/status-of.js';
import { type ApiOperation, readOperation } from '../operation.js';
import {
  FLAG,
  NUMBERED_PAGE_FIELDS,
  numberField,
  PAGE_FIELDS,
  requestedSelection,
  SELECTION_TEXTS,
  TIME,
} from '../requests.js';

export const READ_OPERATIONS: readonly ApiOperation[] = [
  readOperation({
    id: 'getStatus',
    tag: 'State',
    path: '/status',
    summary: 'The status: waiting rows, what needs attention, and what happened last',
    answer: statusSchema,
    carryOut: ({ context }) => context.query('statusDocument', {}),
  }),
  readOperation({
    id: 'getHealth',
    tag: 'State',
    path: '/health',
    summary: 'Whether work gets done',
    answer: healthSchema,
    carryOut: ({ context }) => context.query('healthDocument', {}),
  }),
  readOperation({
    id: 'getReport',
    tag: 'State',
    path: '/report',
    summary: 'Where every row went: for a run, a source, a file, a period, or everything',
    query: {
      run: numberField().optional(),
      source: z.string().optional(),
      file: z.string().optional(),
      since: TIME.optional(),
      until: TIME.optional(),
      inboxes: FLAG.optional(),
    },
    answer: reportSchema,
    carryOut({ context, query: { run: runId, source, file: fileName, since, until, inboxes } }) {
      const isPresent = [runId, fileName, since, until].every((narrowed) => narrowed === undefined);
      const selection = { runId, source, fileName, since, until };
      return context.query('reportDocument', { selection, inboxes: inboxes ?? isPresent });
    },
  }),
  readOperation({
    id: 'getRows',
    tag: 'Rows',
    path: '/rows',
    summary: 'The rows of a selection, a page at a time',
    roles: SEE_ROWS,
    query: {
      ...SELECTION_TEXTS,
      search: z.string().optional(),
      ...PAGE_FIELDS,
    },
    answer: rowsSchema,
    async carryOut({ context, query: { search = null, after = null, limit, ...filters } }) {
      const selection = requestedSelection(filters, BROWSABLE);
      const request = { selection, search, after, limit };
      const { rows, total, isComplete, next, unsearched } = await context.query('rows', request);
      return { rows, total, complete: isComplete, next, unsearched };
    },
  }),
  readOperation({
    id: 'getTrace',
    tag: 'Rows',
    path: '/rows/{what}',
    summary: 'The full history of a row (file.csv:217, 12:217), a submission (#12 or 12), a learner or a key',
    roles: SEE_ROWS,
    query: { searchCells: FLAG.optional() },
    answer: traceSchema,
    async carryOut({ context, params: { what = '' }, query: { searchCells: searchAll = false } }) {
      const subject = /^\d+$/.test(what) ? `#${what}` : what;
      const document = await context.query('traceDocument', { what: subject, searchAll });
      if (document.kind !== null) return document;
      const message = 'no row, submission, learner or key was found';
      const hint = document.remarks.join(' ');
      throw new RequestRefusal(404, { operation: 'trace', subject: 'the address', message, hint });
    },
  }),
  readOperation({
    id: 'getUnknownLearners',
    tag: 'Rows',
    path: '/learners/unknown',
    summary: 'Unknown learners, and similar known ones',
    roles: SEE_ROWS,
    answer: unknownLearnersSchema,
    carryOut: ({ context }) => context.query('unknownLearners', {}),
  }),
  readOperation({
    id: 'getFiles',
    tag: 'Files',
    path: '/files',
    summary: 'The files and the result of each, newest first, a page at a time',
    query: {
      source: z.string().optional(),
      name: z.string().optional(),
      standing: z.enum(FILE_STANDINGS).optional(),
      ...NUMBERED_PAGE_FIELDS,
    },
    answer: filesSchema,
    async carryOut({ context, query }) {
      const { source = null, name = null, standing = null, after, limit } = query;
      const request = { source, name, standing, after, limit };
      const { files, total, next } = await context.query('files', request);
      return { files, total, next: nextOf(next) };
    },
  }),
  readOperation({
    id: 'getRuns',
    tag: 'Runs',
    path: '/runs',
    summary: 'The runs and their results, newest first, a page at a time',
    query: {
      trigger: z.enum(RUN_TRIGGERS).optional(),
      end: z.enum([...RUN_ENDS, 'open']).optional(),
      ...NUMBERED_PAGE_FIELDS,
    },
    answer: runsSchema,
    async carryOut({ context, query: { trigger = null, end = null, after, limit } }) {
      const request = { trigger, end, after, limit };
      const { rows, total, next } = await context.query('runs', request);
      return { runs: rows.map(({ runId, ...run }) => ({ run: runId, ...run })), total, next: nextOf(next) };
    },
  }),
  readOperation({
    id: 'getRun',
    tag: 'Runs',
    path: '/runs/{run}',
    summary: 'One run, also while it is running',
    answer: listedRunSchema,
    async carryOut({ context, params }) {
      const number = numberedBy(params.run);
      const request = { trigger: null, end: null, after: number + 1, limit: 1 };
      const [{ runId, ...run } = { runId: null }] = (await context.query('runs', request)).rows;
      if (runId !== number) throw noSuch('run', params.run);
      return { run: runId, ...run };
    },
  }),
  readOperation({
    id: 'getDecisions',
    tag: 'Decisions',
    path: '/decisions',
    summary: 'Who decided what, when and why, newest first, a page at a time',
    roles: SEE_ROWS,
    query: { who: z.string().optional(), door: z.enum(DOORS).optional(), ...NUMBERED_PAGE_FIELDS },
    answer: decisionsSchema,
    async carryOut({ context, query: { who = null, door = null, after, limit } }) {
      const { rows, total, next } = await context.query('decisions', { who, door, after, limit });
      const decisions = rows.map(({ decisionId, ...decision }) => ({ decision: decisionId, ...decision }));
      return { decisions, total, next: nextOf(next) };
    },
  }),
  readOperation({
    id: 'getDecision',
    tag: 'Decisions',
    path: '/decisions/{decision}',
    summary: 'One decision, also while it is carried out',
    roles: SEE_ROWS,
    answer: listedDecisionSchema,
    async carryOut({ context, params }) {
      const number = numberedBy(params.decision);
      const request = { who: null, door: null, after: number + 1, limit: 1 };
      const { rows } = await context.query('decisions', request);
      const [{ decisionId, ...decision } = { decisionId: null }] = rows;
      if (decisionId !== number) throw noSuch('decision', params.decision);
      return { decision: decisionId, ...decision };
    },
  }),
];

function nextOf(after: number | null): string | null {
  return after === null ? null : String(after);
}

/** -1: the text is not a number. */
function numberedBy(text = ''): number {
  return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : -1;
}

function noSuch(what: string, text = ''): RequestRefusal {
  const message = `there is no ${what} ${text}`;
  return new RequestRefusal(404, { operation: 'answer the request', subject: what, message });
}
