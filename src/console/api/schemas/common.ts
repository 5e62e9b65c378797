import { z } from 'zod';
import { COUNT, EXIT, TEXT } from './words.js';

/** One reason why a row is no record, or why a file is not read. */
export const issueSchema = z.strictObject({
  code: TEXT,
  column: TEXT.nullable(),
  value: TEXT.nullable(),
  message: TEXT,
  remedy: TEXT,
});

/** An environment that can't be used. */
export const outageSchema = z.strictObject({
  environment: TEXT,
  operation: TEXT.nullable(),
  since: TEXT,
  lastAt: TEXT,
  endedAt: TEXT.nullable(),
  runs: COUNT,
  code: TEXT,
  reason: TEXT,
  remedy: TEXT,
  waiting: COUNT,
});

/** What can be done about a cause, as data. */
export const remedySchema = z.strictObject({
  action: TEXT,
  selection: z
    .strictObject({
      states: z.array(TEXT),
      cause: TEXT.optional(),
      run: COUNT.optional(),
      file: TEXT.optional(),
      since: TEXT.optional(),
      rows: z.array(COUNT).optional(),
    })
    .optional(),
  drop: COUNT.optional(),
  finish: z.boolean().optional(),
  deep: z.boolean().optional(),
});

/** Why something can't be done. */
export const failureSchema = z.strictObject({
  error: z.strictObject({
    operation: TEXT,
    subject: TEXT,
    message: TEXT,
    hint: TEXT,
    exit: EXIT,
    mistakes: z.array(TEXT).optional(),
  }),
});
