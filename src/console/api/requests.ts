import { z } from 'zod';
import { SELECTABLE } from '../../documents/words.js';
import { isoMoment } from '../../domain/clock.js';
import { readSelection, type Selectable, type Selection } from '../../domain/selection.js';
import { type SelectionTexts, selectionInTexts } from '../../domain/text/selection-text.js';
import { inputSchema } from './open-api.js';
import { mistaken } from './read-request.js';

/** A day or a time in UTC. */
export const TIME = z.string().transform((text, context) => {
  const moment = isoMoment(text);
  if (moment !== null) return moment;
  context.addIssue({
    code: 'custom',
    message: `"${text}" is no time: write 2026-03-02 or 2026-03-02T08:00:00Z`,
  });
  return z.NEVER;
});

/** A number in an address. */
export const NUMBER = z.coerce.number<string>().int().min(0);

/** Yes or no in an address. */
export const FLAG = z.enum(['true', 'false']).transform((word) => word === 'true');

/** What every decision takes. */
export const DECISION_FIELDS = {
  /** Why, for the record; blank ones are none. */
  because: z
    .string()
    .max(1_000)
    .transform((text) => text.trim() || null)
    .optional(),
  /** True: nothing is changed, and the answer says what would be. */
  dryRun: z.boolean().optional(),
} as const;

/** The form of a selection, for OpenAPI. `readSelection` says what is wrong with one, in the words of every door. */
const SELECTION = {
  all: z.boolean().optional(),
  states: z.array(SELECTABLE).optional(),
  cause: z.string().optional(),
  learner: z.string().optional(),
  content: z.string().optional(),
  file: z.string().optional(),
  run: z.int().min(0).optional(),
  since: z.string().optional(),
  until: z.string().optional(),
  rows: z.array(z.union([z.int().min(0), z.string()])).optional(),
};

/** The rows that a body names. */
export function selectionField(selectable: Selectable) {
  return described(z.strictObject(SELECTION)).transform((value, context) => {
    const read = readSelection(value, selectable);
    if ('selection' in read) return read.selection;
    for (const { field, problem, hint } of read.mistakes) {
      const path = field === null ? [] : [field];
      context.addIssue({ code: 'custom', path, message: `${problem}. ${hint}` });
    }
    return z.NEVER;
  });
}

/** A selection's fields in an address, where all of them are texts. */
export const SELECTION_TEXTS = Object.fromEntries(
  Object.entries(SELECTION).map(([name, schema]) => [name, described(schema).optional()]),
);

/** The rows that an address names; all that need attention where it names none. Throws ApiRefusal with every mistake. */
export function selectionAsked(texts: Readonly<Record<string, unknown>>, selectable: Selectable): Selection {
  const read =
    selectionInTexts(texts as SelectionTexts, selectable) ?? readSelection({ all: true }, selectable);
  if ('selection' in read) return read.selection;
  throw mistaken(
    'the query',
    read.mistakes.map(({ field, problem, hint }) => `${field ?? 'it'}: ${problem}. ${hint}`),
  );
}

/** Anything, which OpenAPI describes by this schema. */
function described(schema: z.ZodType) {
  return z.unknown().meta(inputSchema(schema));
}
