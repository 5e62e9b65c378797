import { z } from 'zod';
import { sourceNamed } from '../../../actions/context.js';
import { runDocument } from '../../../actions/documents/report-document.js';
import { type RerunPlan, rerun } from '../../../actions/rerun.js';
import { durationMs } from '../../../config/values/duration.js';
import { DECISIONS } from '../../../documents/decisions.js';
import {
  begunRerunSchema,
  begunRunSchema,
  listedRunSchema,
  runSchema,
  runsSchema,
} from '../../../documents/run.js';
import { RUN_ENDS, RUN_TRIGGERS } from '../../../domain/process/run.js';
import { beginRerun, beginRun } from '../../work/begin-run.js';
import { plannedBy } from '../../work/console-context.js';
import { type ApiAnswer, operation, readOperation } from '../operation.js';
import {
  FLAG,
  NUMBERED_PAGE_FIELDS,
  nextOf,
  noSuch,
  numberedBy,
  textThat,
  USUAL_LIMIT,
} from '../requests.js';
import { plannedAnswer, verbFacts } from '../verb-request.js';

export const getRuns = readOperation({
  id: 'getRuns',
  tag: 'Runs',
  path: '/runs',
  summary: 'The runs and what they did, the newest first, a page at a time',
  query: {
    trigger: z.enum(RUN_TRIGGERS).optional(),
    end: z.enum([...RUN_ENDS, 'open']).optional(),
    ...NUMBERED_PAGE_FIELDS,
  },
  answer: runsSchema,
  async carryOut({ context, query }) {
    const { trigger = null, end = null, limit = USUAL_LIMIT } = query;
    const request = { trigger, end, after: query.after ?? null, most: limit };
    const { rows, total, next } = await context.query('runs', request);
    const runs = rows.map(({ runId, ...run }) => ({ run: runId, ...run }));
    return { runs, total, next: nextOf(next) };
  },
});

export const getRun = readOperation({
  id: 'getRun',
  tag: 'Runs',
  path: '/runs/{run}',
  summary: 'One run, also while it goes on',
  answer: listedRunSchema,
  async carryOut({ context, params }) {
    const number = numberedBy(params.run);
    const request = { trigger: null, end: null, after: number + 1, most: 1 };
    const [{ runId, ...run } = { runId: null }] = (await context.query('runs', request)).rows;
    if (runId !== number) throw noSuch('run', params.run);
    return { run: runId, ...run };
  },
});

function begunAnswer(first: { readonly run: number }): ApiAnswer {
  return { status: 202, document: { ...first, look: `/api/v1/runs/${first.run}` } };
}

/** A length of time such as 50m, in milliseconds. */
const DURATION = textThat((text) => {
  const ms = durationMs(text);
  return ms > 0 ? ms : null;
}, 'Write a length of time as 90s, 50m or 2h.');

export const postRuns = operation({
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
    return query.wait ? { status: 200, document: runDocument(await done) } : begunAnswer(first);
  },
});

export const postReruns = operation({
  ...verbFacts('rerun'),
  query: z.strictObject({ wait: FLAG.optional() }),
  answers: { 200: DECISIONS.rerun, 202: begunRerunSchema },
  async carryOut({ context, body, query, who, keepWaiting }) {
    const { dryRun = false, because = null, ...request } = body;
    const planned = await plannedBy<RerunPlan>(context, 'rerun', request);
    if (dryRun || planned.rows.total === 0)
      return plannedAnswer(context.actionContext(), rerun, planned, dryRun);
    if (query.wait) keepWaiting();
    const { first, done } = await beginRerun(context, planned, who, because);
    if (!query.wait) return begunAnswer(first);
    const { moved, run } = await done;
    return { status: 200, document: { moved, ...runDocument(run) } };
  },
});
