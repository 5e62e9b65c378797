import { z } from 'zod';
import { COUNT, type DocumentOf, document, STATE, TEXT } from './words.js';

export const purgeSchema = document('Purge', 'The document of registrar purge --json.', {
  dryRun: z.boolean(),
  decision: COUNT.nullable(),
  before: TEXT,
  drops: z
    .array(
      z.strictObject({
        drop: COUNT,
        source: TEXT,
        file: TEXT,
        rows: COUNT,
        open: COUNT.describe('Open rows, whose content stays.'),
        hadContent: z.boolean(),
      }),
    )
    .describe('Oldest first.'),
  cleared: z.strictObject({ rows: COUNT, records: COUNT, issues: COUNT, answers: COUNT }),
  refusals: COUNT,
  archived: z.array(TEXT),
  deletesArchived: z.boolean(),
  compacted: z.boolean().describe('False while a process delivers.'),
});

export type PurgeDocument = DocumentOf<typeof purgeSchema>;

export const forgetSchema = document('Forget', 'The document of registrar forget --json. Personal.', {
  dryRun: z.boolean(),
  known: z.boolean(),
  didYouMean: z.array(TEXT),
  decision: COUNT.nullable(),
  states: z.partialRecord(STATE, COUNT),
  rows: COUNT,
  mentions: COUNT.describe('Rows about others that name the person.'),
  cleared: z.strictObject({
    dismissed: COUNT,
    records: COUNT,
    answers: COUNT,
    issues: COUNT,
    refusals: COUNT,
    corrections: COUNT,
  }),
  files: z.array(
    z.strictObject({ path: TEXT, sure: z.boolean().describe('False: it could not be searched.') }),
  ),
  deleted: z.array(TEXT),
  proof: z
    .strictObject({
      bytes: COUNT,
      rows: COUNT,
      remaining: z.array(z.strictObject({ place: TEXT, count: COUNT })),
    })
    .nullable()
    .describe('null where nothing was erased.'),
});

export type ForgetDocument = DocumentOf<typeof forgetSchema>;
