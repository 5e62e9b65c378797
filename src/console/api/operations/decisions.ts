import { z } from 'zod';
import { correct } from '../../../actions/correct/correct.js';
import { reasonMissing, type Verb } from '../../../actions/decision/verb.js';
import { dismiss } from '../../../actions/dismiss.js';
import { map } from '../../../actions/map.js';
import { restage } from '../../../actions/restage/restage.js';
import { DISMISSABLE } from '../../../actions/rows/selectable.js';
import { correctionSchema } from '../../../documents/correction.js';
import { dismissalSchema, mappingSchema, restagingSchema } from '../../../documents/decided.js';
import { decisionsSchema, listedDecisionSchema } from '../../../documents/run.js';
import { DOORS } from '../../../domain/decider.js';
import { plannedBy } from '../../work/planned.js';
import { type ApiOperation, operation, readOperation } from '../operation.js';
import { plannedAnswer } from '../planned-answer.js';
import { ApiRefusal, mistaken } from '../refusal.js';
import {
  DECISION_FIELDS,
  nextOf,
  noSuch,
  numberAfter,
  numberedBy,
  PAGE_FIELDS,
  selectionField,
  USUAL_LIMIT,
} from '../requests.js';

export const getDecisions = readOperation({
  id: 'getDecisions',
  tag: 'Decisions',
  path: '/decisions',
  summary: 'Who decided what, when and why, the newest first, a page at a time; without reasons for viewers',
  query: {
    who: z.string().optional(),
    door: z.enum(DOORS).optional(),
    ...PAGE_FIELDS,
  },
  answer: decisionsSchema,
  async carryOut({ context, query }) {
    const { who = null, door = null, limit = USUAL_LIMIT } = query;
    const page = { isDescending: true, after: numberAfter(query.after), most: limit };
    const { rows, total, next } = await context.query('decisions', { ...ALL, who, door, ...page });
    const decisions = rows.map(({ decisionId, ...decision }) => ({ decision: decisionId, ...decision }));
    return { decisions, total, next: nextOf(next) };
  },
});

const ALL = { kind: null, who: null, door: null, isOpen: false } as const;

export const getDecision = readOperation({
  id: 'getDecision',
  tag: 'Decisions',
  path: '/decisions/{decision}',
  summary: 'One decision, also while it is carried out; without its reason for viewers',
  answer: listedDecisionSchema,
  async carryOut({ context, params }) {
    const number = numberedBy(params.decision);
    const one = { ...ALL, after: number - 1, most: 1, isDescending: false };
    const [{ decisionId, ...decision } = { decisionId: null }] = (await context.query('decisions', one)).rows;
    if (decisionId !== number) throw noSuch('decision', params.decision);
    return { decision: decisionId, ...decision };
  },
});

const NO_REASON = { in: 'body', field: 'because', message: 'is missing' } as const;

/** The operation of a verb whose result is there at once. */
function decisionOperation<Body extends z.ZodRawShape, Request, Plan, Done>(
  verb: Verb<Request, Plan, Done>,
  described: Pick<ApiOperation, 'id' | 'path' | 'summary' | 'answers'> & { readonly body: z.ZodObject<Body> },
  requestOf: (body: z.output<z.ZodObject<Body>>) => Request,
): ApiOperation {
  const { body, ...about } = described;
  return operation({
    ...about,
    tag: 'Decisions',
    method: 'post',
    roles: ['operator'],
    takesKey: true,
    query: z.strictObject({}),
    body: body.extend(DECISION_FIELDS),
    async carryOut({ context, body, who }) {
      const { dryRun = false, because = null } = body as z.output<z.ZodObject<typeof DECISION_FIELDS>>;
      const request = requestOf(body as z.output<z.ZodObject<Body>>);
      if (verb.needsReason && !dryRun && because === null)
        throw new ApiRefusal(422, reasonMissing(verb.name), { mistakes: [NO_REASON] });
      const planned = await plannedBy(context, verb, request);
      if (dryRun || !verb.preview(planned).changes)
        return plannedAnswer(context.actionContext(), verb, planned, dryRun);
      const done = await verb.carryOut(context.actionContext(), planned, who, because);
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
      throw mistaken([{ in: 'body', field: 'selection', message: 'is missing; or name a drop' }]);
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
