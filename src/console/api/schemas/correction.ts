import { z } from 'zod';
import { issueSchema } from './common.js';
import { redropSchema } from './redrop.js';
import { ANY, COUNT, DISPOSITION, TEXT } from './words.js';

/** `registrar correct --json`. */
export const correctionSchema = z.strictObject({
  dryRun: z.boolean(),
  source: TEXT,
  row: z
    .strictObject({
      drop: COUNT,
      file: TEXT,
      line: COUNT,
      disposition: TEXT,
      original: TEXT,
      cells: z.array(
        z.strictObject({
          column: TEXT,
          field: TEXT.nullable(),
          was: TEXT,
          given: TEXT.nullable(),
          value: ANY,
          rule: TEXT.nullable(),
        }),
      ),
    })
    .nullable(),
  file: z.strictObject({ name: TEXT, dispositions: z.partialRecord(DISPOSITION, COUNT) }).nullable(),
  redrops: z.array(redropSchema),
  issues: z.array(issueSchema.extend({ line: COUNT.optional() })),
  records: z.array(
    z.strictObject({
      line: COUNT.optional(),
      key: TEXT,
      request: z.strictObject({ method: TEXT, path: TEXT, body: ANY }),
    }),
  ),
  decision: COUNT.nullable(),
  moved: COUNT.nullable(),
  resolved: COUNT.nullable(),
  drops: z.array(
    z.strictObject({
      drop: COUNT.nullable(),
      result: TEXT,
      dispositions: z.partialRecord(DISPOSITION, COUNT).nullable(),
      refusal: TEXT.nullable(),
    }),
  ),
});
