import { z } from 'zod';
import { sourceNamed } from '../../actions/context.js';
import { runDocument } from '../../actions/documents/report-document.js';
import { discardUpload, receiveDrop, receiveUpload } from '../../actions/uploads.js';
import { durationMs } from '../../config/values/duration.js';
import { checkSchema } from '../../documents/check.js';
import { droppedSchema } from '../../documents/files.js';
import { begunRunSchema, runSchema } from '../../documents/run.js';
import { beginRun } from '../work/begin-run.js';
import { type ApiOperation, operation, startedAnswer } from './operation.js';
import { postReruns, verbOperations } from './operations/decision-operations.js';
import { READ_OPERATIONS } from './operations/read-operations.js';
import { FLAG, numberField, parsedText } from './requests.js';

const DURATION = parsedText((text) => {
  const ms = durationMs(text);
  return ms > 0 ? ms : null;
}, 'Write a length of time as 90s, 50m or 2h.');

const postRuns = operation({
  id: 'postRuns',
  tag: 'Runs',
  method: 'post',
  path: '/runs',
  summary: 'Import the files in the inboxes, deliver their rows, report',
  roles: ['operator'],
  query: z.strictObject({ wait: FLAG.optional() }),
  body: z.strictObject({
    sources: z.array(z.string()).optional(),
    confirm: z.array(z.string()).optional(),
    push: z.boolean().optional(),
    maxDuration: DURATION.optional(),
    dryRun: z.boolean().optional(),
  }),
  takesKey: true,
  answers: { 200: runSchema, 202: begunRunSchema },
  async carryOut({ context, body, query, who, keepWaiting }) {
    const { sources = [], confirm = [], push = true, maxDuration = null, dryRun = false } = body;
    const { config } = context.actionContext();
    for (const name of [...sources, ...confirm]) sourceNamed(config, name);
    const request = { sources, confirmed: confirm, intake: true, push };
    if (dryRun) return { status: 200, document: { dryRun, ...(await context.query('runPlan', request)) } };
    if (query.wait) keepWaiting();
    const { first, done } = await beginRun(context, { ...request, maxDurationMs: maxDuration }, who);
    return query.wait ? { status: 200, document: runDocument(await done) } : startedAnswer(first);
  },
});

/** Issues and requests that are shown where the caller says nothing. */
const SHOWN_BY_DEFAULT = 20;

const postChecks = operation({
  id: 'postChecks',
  tag: 'Files',
  method: 'post',
  path: '/checks',
  summary: 'What importing a file would do; nothing is stored',
  roles: ['operator'],
  query: z.strictObject({
    source: z.string(),
    name: z.string().optional(),
    limit: numberField(0, 1_000).optional(),
  }),
  body: 'file',
  answers: { 200: checkSchema },
  async carryOut({ context, body, query, keepWaiting }) {
    const { source, name = 'the file', limit = SHOWN_BY_DEFAULT } = query;
    const { id, path } = await receiveUpload(context.actionContext(), { ...body, source, name });
    keepWaiting();
    try {
      const document = await context.query('checkDocument', { path, name, source, limit });
      return { status: 200, document };
    } finally {
      await discardUpload(context.actionContext(), { source, id });
    }
  },
});

const postDrops = operation({
  id: 'postDrops',
  tag: 'Files',
  method: 'post',
  path: '/drops',
  summary: 'Upload a file into the inbox of a source; the next run imports it',
  roles: ['operator'],
  query: z.strictObject({ source: z.string(), name: z.string() }),
  body: 'file',
  takesKey: true,
  answers: { 202: droppedSchema },
  async carryOut({ context, who, body, query: { source, name } }) {
    const dropped = await receiveDrop(context.actionContext(), { ...body, source, name }, who);
    const look = `/api/v1/files?${new URLSearchParams({ source, name: dropped.name })}`;
    return { status: 202, document: { source, ...dropped, look } };
  },
});

/** All operations of the HTTP interface, in the order of the document. */
export const OPERATIONS: readonly ApiOperation[] = [
  ...READ_OPERATIONS,
  postRuns,
  postReruns,
  ...verbOperations,
  postChecks,
  postDrops,
];
