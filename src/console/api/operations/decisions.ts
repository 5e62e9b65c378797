import { z } from 'zod';
import { reasonMissing } from '../../../actions/decision/verb.js';
import { factsOf, needsRows } from '../../../actions/decision/verb-facts.js';
import { type DecidedName, loadVerb } from '../../../actions/load-verb.js';
import { DECISIONS } from '../../../documents/decisions.js';
import { decisionsSchema, listedDecisionSchema } from '../../../documents/run.js';
import { DOORS } from '../../../domain/decider.js';
import { plannedBy } from '../../work/console-context.js';
import { RequestRefusal } from '../../work/status-of.js';
import { type ApiOperation, operation, readOperation } from '../operation.js';
import { mistaken } from '../refusal.js';
import { NUMBERED_PAGE_FIELDS, nextOf, noSuch, numberedBy, USUAL_LIMIT } from '../requests.js';
import { plannedAnswer, verbFacts } from '../verb-request.js';

export const getDecisions = readOperation({
  id: 'getDecisions',
  tag: 'Decisions',
  path: '/decisions',
  summary: 'Who decided what, when and why, the newest first, a page at a time',
  roles: ['operator', 'auditor'],
  query: {
    who: z.string().optional(),
    door: z.enum(DOORS).optional(),
    ...NUMBERED_PAGE_FIELDS,
  },
  answer: decisionsSchema,
  async carryOut({ context, query }) {
    const { who = null, door = null, limit = USUAL_LIMIT } = query;
    const page = { after: query.after ?? null, most: limit };
    const { rows, total, next } = await context.query('decisions', { who, door, ...page });
    const decisions = rows.map(({ decisionId, ...decision }) => ({ decision: decisionId, ...decision }));
    return { decisions, total, next: nextOf(next) };
  },
});

export const getDecision = readOperation({
  id: 'getDecision',
  tag: 'Decisions',
  path: '/decisions/{decision}',
  summary: 'One decision, also while it is carried out',
  roles: ['operator', 'auditor'],
  answer: listedDecisionSchema,
  async carryOut({ context, params }) {
    const number = numberedBy(params.decision);
    const request = { who: null, door: null, after: number + 1, most: 1 };
    const [{ decisionId, ...decision } = { decisionId: null }] = (await context.query('decisions', request))
      .rows;
    if (decisionId !== number) throw noSuch('decision', params.decision);
    return { decision: decisionId, ...decision };
  },
});

const NO_REASON = { in: 'body', field: 'because', message: 'is missing' } as const;

const { rerun: _, ...DECIDED } = DECISIONS;

/** The operations of the verbs whose result is there at once. */
export const verbOperations: readonly ApiOperation[] = (Object.keys(DECIDED) as DecidedName[])
  .filter((name) => factsOf(name).path !== undefined)
  .map((name) =>
    operation({
      ...verbFacts(name),
      answers: { 200: DECISIONS[name] },
      query: z.strictObject({}),
      async carryOut({ context, body, who }) {
        const { dryRun = false, because = null, ...rest } = body;
        const { rows } = factsOf(name);
        const request: Readonly<Record<string, unknown>> =
          rows?.or === undefined ? rest : { selection: null, ...rest };
        if (request.selection === null && needsRows(name, request))
          throw mistaken([{ in: 'body', field: 'selection', message: `is missing; or name a ${rows?.or}` }]);
        if (factsOf(name).needsReason && !dryRun && because === null)
          throw new RequestRefusal(422, reasonMissing(name), { mistakes: [NO_REASON] });
        const planned = await plannedBy(context, name, request);
        const verb = await loadVerb(name);
        if (dryRun || !verb.preview(planned).changes)
          return plannedAnswer(context.actionContext(), verb, planned, dryRun);
        const done = await verb.carryOut(context.actionContext(), planned, who, because);
        return { status: 200, document: verb.document(planned, done, false) };
      },
    }),
  );
