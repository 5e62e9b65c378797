import { z } from 'zod';
import { correct } from '../../../actions/correct/correct.js';
import { reasonNeeded, type Verb } from '../../../actions/decision/verb.js';
import { dismiss } from '../../../actions/dismiss.js';
import { map } from '../../../actions/map.js';
import { restage } from '../../../actions/restage/restage.js';
import { DISMISSABLE } from '../../../actions/rows/selectable.js';
import { correctionSchema } from '../../../documents/correction.js';
import { dismissalSchema, mappingSchema, restagingSchema } from '../../../documents/decided.js';
import { decisionsSchema } from '../../../documents/run.js';
import { ROLES } from '../../../domain/access/role.js';
import { DOORS } from '../../../domain/decider.js';
import { plannedBy } from '../../work/planned.js';
import { type ApiOperation, operation } from '../operation.js';
import { plannedAnswer } from '../planned-answer.js';
import { mistaken } from '../read-request.js';
import { DECISION_FIELDS, NUMBER, selectionField } from '../requests.js';

export const getDecisions = operation({
  id: 'getDecisions',
  method: 'get',
  path: '/decisions',
  summary: 'Who decided what, when and why, the newest first, a page at a time; without reasons for viewers',
  roles: ROLES,
  query: z.strictObject({
    who: z.string().optional(),
    door: z.enum(DOORS).optional(),
    after: NUMBER.min(0).optional(),
    limit: NUMBER.min(1).max(500).optional(),
  }),
  body: null,
  answers: { 200: decisionsSchema },
  async carryOut({ desk, query }) {
    const { who = null, door = null, after = null, limit = 50 } = query;
    const { rows, total, next } = await desk.ask('decisions', {
      kind: null,
      who,
      door,
      isOpen: false,
      isDescending: true,
      after,
      most: limit,
    });
    const decisions = rows.map(({ decisionId, ...decision }) => ({ decision: decisionId, ...decision }));
    return { status: 200, document: { decisions, total, next } };
  },
});

/** The operation of a verb whose result is there at once. */
function decisionOperation<Body extends z.ZodRawShape, Request, Plan, Done>(
  verb: Verb<Request, Plan, Done>,
  described: Pick<ApiOperation, 'id' | 'path' | 'summary' | 'answers'> & { readonly body: z.ZodObject<Body> },
  requestOf: (body: z.output<z.ZodObject<Body>>) => Request,
): ApiOperation {
  const { body, ...about } = described;
  return operation({
    ...about,
    method: 'post',
    roles: ['operator'],
    query: z.strictObject({}),
    body: body.extend(DECISION_FIELDS),
    async carryOut({ desk, body, who }) {
      const { dryRun = false, because = null } = body as z.output<z.ZodObject<typeof DECISION_FIELDS>>;
      const request = requestOf(body as z.output<z.ZodObject<Body>>);
      if (verb.needsReason && !dryRun && because === null)
        throw mistaken('because', [`because: ${reasonNeeded(verb.name)}; or send "dryRun": true`]);
      const planned = await plannedBy(desk, verb, request);
      if (dryRun || !verb.preview(planned).changes)
        return plannedAnswer(desk.context(), verb, planned, dryRun);
      const done = await verb.carryOut(desk.context(), planned, who, because);
      return { status: 200, document: verb.document(planned, done, false) };
    },
  });
}

export const postDismissals = decisionOperation(
  dismiss,
  {
    id: 'postDismissals',
    path: '/dismissals',
    summary: 'Close rows, or a refused file: kept, and not sent',
    body: z.strictObject({
      selection: selectionField(DISMISSABLE).optional(),
      drop: z.int().min(0).optional(),
    }),
    answers: { 200: dismissalSchema },
  },
  ({ selection = null, drop = null }) => {
    if (selection === null && drop === null)
      throw mistaken('the body', ['selection: it is needed where there is no drop']);
    return { selection, drop };
  },
);

export const postMappings = decisionOperation(
  map,
  {
    id: 'postMappings',
    path: '/mappings',
    summary: 'Correct a learner’s identifier, for what is staged and what comes',
    body: z.strictObject({
      old: z.string(),
      new: z.string(),
      type: z.string().optional(),
      newType: z.string().optional(),
    }),
    answers: { 200: mappingSchema },
  },
  ({ old, new: now, type, newType }) => ({ old, now, type, newType }),
);

export const postRestages = decisionOperation(
  restage,
  {
    id: 'postRestages',
    path: '/restages',
    summary: 'Read a drop’s invalid rows again, after its source was corrected',
    body: z.strictObject({
      drop: z.union([z.int().min(0), z.string()]),
      limit: z.int().min(0).max(1_000).optional(),
    }),
    answers: { 200: restagingSchema },
  },
  ({ drop, limit = 20 }) => ({ drop: String(drop), limit }),
);

export const postCorrections = decisionOperation(
  correct,
  {
    id: 'postCorrections',
    path: '/corrections',
    summary: 'Correct a row that needs attention',
    body: z.strictObject({ row: z.string(), values: z.record(z.string(), z.string()) }),
    answers: { 200: correctionSchema },
  },
  ({ row, values }) => ({
    what: row,
    set: Object.entries(values).map(([column, value]) => `${column}=${value}`),
  }),
);
