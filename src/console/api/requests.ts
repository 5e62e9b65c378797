import { z } from 'zod';
import { SELECTABLE } from '../../documents/words.js';
import { isoMoment } from '../../domain/clock.js';
import { readSelection, type Selectable } from '../../domain/selection.js';
import { type SelectionTexts, selectionInTexts } from '../../domain/text/selection-text.js';
import { inputSchema } from './open-api.js';
import { invalidRequest } from './refusal.js';

/** @param read null: the text can't be read. */
export function parsedText<Value>(read: (text: string) => Value | null, hint: string) {
  return z.string().transform((text, context) => {
    const value = read(text);
    if (value !== null) return value;
    context.addIssue({ code: 'custom', message: `"${text}" can't be read. ${hint}` });
    return z.NEVER;
  });
}

/** A day or a time in UTC. */
export const TIME = parsedText(isoMoment, 'Write a day as 2026-03-02 or a time as 2026-03-02T08:00:00Z.');

export function numberField(min = 0, max = Number.MAX_SAFE_INTEGER) {
  return z.coerce.number<string>().int().min(min).max(max);
}

/** `after`: the `next` of the page before. */
export const PAGE_FIELDS = { after: z.string().optional(), limit: numberField(1, 500).default(50) } as const;

/** The same for a list in the order of numbers. */
export const NUMBERED_PAGE_FIELDS = {
  ...PAGE_FIELDS,
  after: parsedText((text) => (/^\d{1,15}$/.test(text) ? Number(text) : null), 'Send the "next" of a page.')
    .optional()
    .transform((after) => after ?? null),
} as const;

export const FLAG = z.enum(['true', 'false']).transform((word) => word === 'true');

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

/** The rows that an address names; all that need attention where it names none. Throws RequestRefusal with every mistake. */
export function requestedSelection(texts: Readonly<Record<string, unknown>>, selectable: Selectable) {
  const read =
    selectionInTexts(texts as SelectionTexts, selectable) ?? readSelection({ all: true }, selectable);
  if ('selection' in read) return read.selection;
  throw invalidRequest(
    read.mistakes.map(({ field, problem, hint }) => ({ in: 'query', field, message: `${problem}. ${hint}` })),
  );
}

/** Anything, which OpenAPI describes by this schema. */
function described(schema: z.ZodType) {
  return z.unknown().meta(inputSchema(schema));
}
