import { z } from 'zod';
import type { ApiAnswer } from '../../../actions/access/idempotent-answers.js';
import type { ActionContext } from '../../../actions/context.js';
import { reasonMissing, type Verb } from '../../../actions/decision/verb.js';
import { type Field, factsOf, needsRows, type VerbName } from '../../../actions/decision/verb-facts.js';
import { runDocument } from '../../../actions/documents/report-document.js';
import { type DecidedName, loadVerb } from '../../../actions/load-verb.js';
import { type RerunPlan, rerun } from '../../../actions/rerun.js';
import { DECISIONS } from '../../../documents/decisions.js';
import { begunRerunSchema } from '../../../documents/run.js';
import { capitalized } from '../../../domain/text/count-of.js';
import { beginRerun } from '../../work/begin-run.js';
import { planDecision } from '../../work/console-context.js';
import { RequestRefusal } from '../../work/status-of.js';
import { type ApiOperation, operation, startedAnswer } from '../operation.js';
import { invalidRequest } from '../refusal.js';
import { FLAG, selectionField, TIME } from '../requests.js';

export const postReruns = operation({
  ...verbFacts('rerun'),
  query: z.strictObject({ wait: FLAG.optional() }),
  answers: { 200: DECISIONS.rerun, 202: begunRerunSchema },
  async carryOut({ context, body, query, who, keepWaiting }) {
    const { dryRun = false, because = null, ...request } = body;
    const planned = await planDecision<RerunPlan>(context, 'rerun', request);
    if (dryRun || planned.rows.total === 0)
      return plannedAnswer(context.actionContext(), rerun, planned, dryRun);
    if (query.wait) keepWaiting();
    const { first, done } = await beginRerun(context, planned, who, because);
    if (!query.wait) return startedAnswer(first);
    const { moved, run } = await done;
    return { status: 200, document: { moved, ...runDocument(run) } };
  },
});

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
        const { rows, needsReason } = factsOf(name);
        const request: Readonly<Record<string, unknown>> =
          rows?.or === undefined ? rest : { selection: null, ...rest };
        if (request.selection === null && needsRows(name, request))
          throw invalidRequest([
            { in: 'body', field: 'selection', message: `is missing; or name a ${rows?.or}` },
          ]);
        if (needsReason && !dryRun && because === null)
          throw new RequestRefusal(422, reasonMissing(name), { mistakes: [NO_REASON] });
        const planned = await planDecision(context, name, request);
        const verb = await loadVerb(name);
        if (dryRun || !verb.preview(planned).changes)
          return plannedAnswer(context.actionContext(), verb, planned, dryRun);
        const done = await verb.carryOut(context.actionContext(), planned, who, because);
        return { status: 200, document: verb.document(planned, done, false) };
      },
    }),
  );

const NO_REASON = { in: 'body', field: 'because', message: 'is missing' } as const;

/** What an operation that decides is, but for what carries it out: its facts and its body follow from the verb's. */
function verbFacts(name: VerbName) {
  const { path = '/', summary, fields, rows } = factsOf(name);
  const selection = rows && selectionField(rows.selectable);
  // An object without known members, so that the body's type is that of its own two.
  const shape: object = {
    ...(selection && { selection: rows?.or === undefined ? selection : selection.optional() }),
    ...Object.fromEntries(Object.entries(fields).map(([field, facts]) => [field, schemaOf(facts)])),
  };
  return {
    id: `post${capitalized(path.slice(1))}`,
    path,
    summary: capitalized(summary),
    tag: 'Decisions' as const,
    method: 'post' as const,
    roles: ['operator'] as const,
    takesKey: true as const,
    body: z.strictObject({
      ...shape,
      because: z
        .string()
        .max(1_000)
        .transform((text) => text.trim() || null)
        .optional()
        .describe('Why, for the record; a blank one is none.'),
      dryRun: z.boolean().optional().describe('true: nothing changes; the answer shows what would.'),
    }),
  };
}

function schemaOf({ kind, about, isRequired, max, default: value }: Field): z.ZodType {
  const schema: z.ZodType = max === undefined ? schemas()[kind] : z.int().min(0).max(max);
  const optional = kind === 'flag' ? schema.default(false) : isRequired ? schema : schema.optional();
  return (value === undefined ? optional : schema.default(value)).describe(`${capitalized(about)}.`);
}

function schemas(): Readonly<Record<Field['kind'], z.ZodType>> {
  return {
    text: z.string(),
    type: z.string(),
    flag: z.boolean(),
    number: z.int().min(0),
    time: TIME,
    name: z.union([z.int().min(0), z.string()]).transform(String),
    pairs: z
      .record(z.string(), z.string())
      .transform((values) => Object.entries(values).map(([column, value]) => `${column}=${value}`)),
  };
}

/** The rows that a preview lists: `count` says how many there are, and GET /rows lists them all. */
const MAX_SELECTED = 1_000;

async function plannedAnswer<Plan>(
  context: ActionContext,
  verb: Pick<Verb<never, Plan, never>, 'document' | 'rows'>,
  planned: Plan,
  dryRun: boolean,
): Promise<ApiAnswer> {
  const document = verb.document(planned, null, dryRun);
  const entries = verb.rows?.(context, planned);
  if (entries === undefined) return { status: 200, document };
  const selected: unknown[] = [];
  for await (const entry of entries) if (selected.push(entry) === MAX_SELECTED) break;
  return { status: 200, document: { ...document, selected } };
}
