import { z } from 'zod';
import { sourceNamed } from '../../../actions/context.js';
import { runDocument } from '../../../actions/documents/report-document.js';
import { UNWATCHED, WHOLE_RUN } from '../../../actions/run/request.js';
import { carryOut } from '../../../actions/run.js';
import { durationMs } from '../../../config/values/duration.js';
import { begunRunSchema, listedRunSchema, runSchema, runsSchema } from '../../../documents/run.js';
import { ROLES } from '../../../domain/access/role.js';
import { RUN_ENDS, RUN_TRIGGERS } from '../../../domain/process/run.js';
import { onceBegun, onceDone, type Work } from '../../work/going-on.js';
import { operation } from '../operation.js';
import { FLAG, nextOf, noSuch, numberAfter, numberedBy, PAGE_FIELDS, USUAL_LIMIT } from '../requests.js';

export const getRuns = operation({
  id: 'getRuns',
  tag: 'Runs',
  method: 'get',
  path: '/runs',
  summary: 'The runs and what they did, the newest first, a page at a time',
  roles: ROLES,
  query: z.strictObject({
    trigger: z.enum(RUN_TRIGGERS).optional(),
    end: z.enum([...RUN_ENDS, 'open']).optional(),
    ...PAGE_FIELDS,
  }),
  body: null,
  answers: { 200: runsSchema },
  async carryOut({ desk, query }) {
    const { trigger = null, end = null, limit = USUAL_LIMIT } = query;
    const asked = { trigger, end, after: numberAfter(query.after), most: limit, isDescending: true };
    const { rows, total, next } = await desk.ask('runs', asked);
    const runs = rows.map(({ runId, ...run }) => ({ run: runId, ...run }));
    return { status: 200, document: { runs, total, next: nextOf(next) } };
  },
});

export const getRun = operation({
  id: 'getRun',
  tag: 'Runs',
  method: 'get',
  path: '/runs/{run}',
  summary: 'One run, also while it goes on',
  roles: ROLES,
  query: z.strictObject({}),
  body: null,
  answers: { 200: listedRunSchema },
  async carryOut({ desk, params }) {
    const number = numberedBy(params.run);
    const one = { trigger: null, end: null, after: number - 1, most: 1, isDescending: false };
    const [{ runId, ...run } = { runId: null }] = (await desk.ask('runs', one)).rows;
    if (runId !== number) throw noSuch('run', params.run);
    return { status: 200, document: { run: runId, ...run } };
  },
});

/** The address of a run that goes on. */
export function lookAt(run: number): string {
  return `/api/v1/runs/${run}`;
}

/** A length of time such as 50m, in milliseconds. */
const DURATION = z.string().transform((text, context) => {
  const ms = durationMs(text);
  if (ms > 0) return ms;
  context.addIssue({ code: 'custom', message: `"${text}" is not a length of time: write 90s, 50m or 2h` });
  return z.NEVER;
});

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
  async carryOut({ desk, body, query, who, keepWaiting }) {
    const { sources = [], confirm = [], push = true, maxDuration = null, dryRun = false } = body;
    const { config } = desk.context();
    for (const name of [...sources, ...confirm]) sourceNamed(config, name);
    const request = { sources, confirmed: confirm, intake: true, push };
    if (dryRun) return { status: 200, document: { dryRun, ...(await desk.ask('runPlan', request)) } };
    const work: Work<{ readonly run: number }, Awaited<ReturnType<typeof carryOut>>> = {
      name: 'run',
      carryOut: (interrupt, report) => {
        const begun = async (run: number) => {
          report({ run });
          return null;
        };
        const asked = { ...WHOLE_RUN, ...request, maxDurationMs: maxDuration, begun };
        return carryOut(desk.context(), asked, who, { interrupt, ...UNWATCHED });
      },
    };
    if (!query.wait) {
      const { run } = await onceBegun(desk, work);
      return { status: 202, document: { run, look: lookAt(run) } };
    }
    keepWaiting();
    return { status: 200, document: runDocument(await onceDone(desk, work)) };
  },
});
