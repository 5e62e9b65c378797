import { z } from 'zod';
import { SELECTABLE } from '../../documents/words.js';
import { isoMoment } from '../../domain/clock.js';

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

/** Rows by what they have in common; a field that is left out doesn't narrow. */
export const selectionSchema = z.strictObject({
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
});

/** The same in an address. */
export const selectionQuery = {
  ...selectionSchema.shape,
  all: FLAG.optional(),
  run: NUMBER.optional(),
  rows: z.array(z.string()).optional(),
};
