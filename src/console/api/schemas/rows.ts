import { z } from 'zod';
import { COUNT, SELECTABLE, TEXT } from './words.js';

const shownField = z.strictObject({
  name: TEXT,
  column: TEXT.nullable(),
  inFile: TEXT.nullable(),
  asRead: TEXT.nullable(),
});

/** One page of the rows of a selection. */
export const rowsSchema = z.strictObject({
  rows: z.array(
    z.strictObject({
      submission: COUNT.nullable(),
      drop: COUNT,
      file: TEXT,
      line: COUNT,
      sheet: TEXT.nullable(),
      source: TEXT,
      environment: TEXT,
      operation: TEXT,
      state: SELECTABLE,
      cause: TEXT.nullable(),
      code: TEXT,
      reason: TEXT.nullable(),
      remedy: TEXT.nullable(),
      since: TEXT.nullable(),
      learner: TEXT.nullable(),
      content: TEXT.nullable(),
      fields: z.array(shownField),
      cells: z.array(z.strictObject({ column: TEXT, text: TEXT })).nullable(),
      requests: COUNT,
      status: COUNT.nullable(),
      answer: TEXT.nullable(),
      errorId: TEXT.nullable(),
      problems: z.array(z.strictObject({ code: TEXT, sentence: TEXT, remedy: TEXT })),
    }),
  ),
  total: COUNT.nullable(),
  complete: z.boolean(),
  next: TEXT.nullable(),
  unsearched: COUNT,
});
