import { z } from 'zod';
import type { ActionContext } from '../../actions/context.js';
import type { Verb } from '../../actions/decision/verb.js';
import { type Field, factsOf, type VerbName } from '../../actions/decision/verb-facts.js';
import { capitalized } from '../../domain/text/count-of.js';
import type { ApiAnswer } from './operation.js';
import { selectionField, TIME } from './requests.js';

/** What an operation that decides is, but for what carries it out: its facts and its body follow from the verb's. */
export function verbFacts(name: VerbName) {
  const { path = '/', summary, fields, rows } = factsOf(name);
  // An object without known members, so that the body's type is that of its own two.
  const shape: object = Object.fromEntries(
    Object.entries(fields).map(([field, facts]) => [field, schemaOf(facts)]),
  );
  return {
    id: `post${capitalized(path.slice(1))}`,
    path,
    summary: capitalized(summary),
    tag: 'Decisions' as const,
    method: 'post' as const,
    roles: ['operator'] as const,
    takesKey: true as const,
    body: z.strictObject({ ...selectionOf(rows), ...shape, ...DECISION_FIELDS }),
  };
}

const DECISION_FIELDS = {
  because: z
    .string()
    .max(1_000)
    .transform((text) => text.trim() || null)
    .optional()
    .describe('Why, for the record; a blank one is none.'),
  dryRun: z.boolean().optional().describe('true: nothing is changed, and the answer says what would be.'),
} as const;

function selectionOf(rows: ReturnType<typeof factsOf>['rows']): object {
  if (rows === undefined) return {};
  const selection = selectionField(rows.selectable);
  return { selection: rows.or === undefined ? selection : selection.optional() };
}

const SCHEMAS: Readonly<Record<Field['kind'], z.ZodType>> = {
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

function schemaOf({ kind, about, isRequired, most, default: value }: Field): z.ZodType {
  const schema: z.ZodType = most === undefined ? SCHEMAS[kind] : z.int().min(0).max(most);
  const optional = kind === 'flag' ? schema.default(false) : isRequired ? schema : schema.optional();
  return (value === undefined ? optional : schema.default(value)).describe(`${capitalized(about)}.`);
}

/** The rows that a preview lists: `count` says how many there are, and GET /rows lists them all. */
const MAX_SELECTED = 1_000;

/** What a decision would do, where nothing is decided. */
export async function plannedAnswer<Plan>(
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
