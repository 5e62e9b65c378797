import { z } from 'zod';
import { COUNT, TEXT } from './words.js';

/** `registrar map --json`, the list. */
export const unknownLearnersSchema = z.strictObject({
  learners: COUNT,
  rows: COUNT,
  unknown: z.array(
    z.strictObject({
      environment: TEXT,
      type: TEXT,
      id: TEXT,
      rows: COUNT,
      example: TEXT,
      rechecks: COUNT,
      nextRecheck: TEXT.nullable(),
      near: z.array(z.strictObject({ id: TEXT, why: TEXT })),
    }),
  ),
});
