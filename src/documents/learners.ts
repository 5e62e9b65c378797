import { z } from 'zod';
import { COUNT, document, TEXT } from './words.js';

export const unknownLearnersSchema = document('UnknownLearners', 'registrar map --json, the list.', {
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
