import { z } from 'zod';
import { outageSchema } from './common.js';
import { COUNT, DISPOSITION, STATE, TEXT, UNTAKEN } from './words.js';

/** `registrar report --json`. */
export const reportSchema = z.strictObject({
  selection: z.strictObject({
    runId: COUNT.optional(),
    source: TEXT.optional(),
    fileName: TEXT.optional(),
    since: TEXT.optional(),
    until: TEXT.optional(),
  }),
  at: TEXT,
  balanced: z.boolean(),
  equations: z.array(
    z.strictObject({
      over: TEXT,
      subject: TEXT,
      equation: TEXT,
      left: COUNT,
      right: COUNT,
      holds: z.boolean(),
    }),
  ),
  imbalances: z.array(
    z.strictObject({ equation: TEXT, subject: TEXT, expected: COUNT, found: COUNT, examples: z.array(TEXT) }),
  ),
  rows: COUNT,
  dispositions: z.partialRecord(DISPOSITION, COUNT),
  states: z.partialRecord(STATE, COUNT),
  attempts: z.strictObject({
    total: COUNT,
    responses: COUNT,
    noResponses: COUNT,
    open: COUNT,
    accepted: COUNT,
    rejected: COUNT,
    throttled: COUNT,
    repeats: COUNT,
  }),
  attention: COUNT,
  attentionRows: COUNT,
  attentionFiles: COUNT,
  attentionElsewhere: z.strictObject({ rows: COUNT, files: COUNT }),
  waiting: z.array(
    z.strictObject({
      environment: TEXT,
      waiting: COUNT,
      estimatedMs: COUNT.nullable(),
      estimatedEnd: TEXT.nullable(),
      pushedBy: z
        .strictObject({ pid: COUNT, host: TEXT, runId: COUNT.nullable(), takesAll: z.boolean() })
        .nullable(),
    }),
  ),
  causes: z.array(
    z.strictObject({
      code: TEXT,
      cause: TEXT,
      reason: TEXT,
      remedy: TEXT,
      count: COUNT,
      example: TEXT,
      state: TEXT,
      drops: z.array(z.strictObject({ drop: COUNT, file: TEXT, count: COUNT })),
    }),
  ),
  outages: z.array(outageSchema),
  notices: z.array(
    z.strictObject({ code: TEXT, environment: TEXT, message: TEXT, remedy: TEXT, count: COUNT }),
  ),
  unknownLearners: z.strictObject({ learners: COUNT, rows: COUNT }),
  leftOut: z.array(
    z.strictObject({
      code: TEXT,
      reason: TEXT,
      column: TEXT,
      count: COUNT,
      example: TEXT,
      drops: z.array(z.strictObject({ drop: COUNT, file: TEXT, count: COUNT })),
    }),
  ),
  altered: z.strictObject({
    counts: z.strictObject({ entity: COUNT, letters: COUNT, other: COUNT }),
    shown: z.array(
      z.strictObject({
        file: TEXT,
        line: COUNT,
        field: TEXT,
        kind: TEXT,
        sent: TEXT.nullable(),
        returned: TEXT.nullable(),
      }),
    ),
  }),
  existing: z.strictObject({ existed: COUNT, revived: COUNT }),
  untaken: z
    .array(z.strictObject({ source: TEXT.nullable(), path: TEXT, code: UNTAKEN, reason: TEXT, remedy: TEXT }))
    .nullable(),
  files: z.array(
    z.strictObject({
      drop: COUNT,
      source: TEXT,
      file: TEXT,
      firstFile: TEXT,
      state: TEXT,
      rows: COUNT.nullable(),
      hiddenRows: COUNT,
      sheetsLeft: z.array(z.strictObject({ name: TEXT, rows: COUNT.nullable() })),
      zones: z.array(z.strictObject({ line: COUNT.nullable(), text: TEXT })),
      refusal: TEXT.nullable(),
      closure: z
        .strictObject({
          kind: TEXT,
          drop: COUNT.optional(),
          decision: COUNT.optional(),
          who: TEXT.optional(),
          because: TEXT.optional(),
          at: TEXT,
        })
        .nullable(),
      control: z
        .strictObject({ state: TEXT, min: COUNT.nullable(), max: COUNT.nullable(), read: COUNT })
        .nullable(),
      dispositions: z.partialRecord(DISPOSITION, COUNT),
      states: z.partialRecord(STATE, COUNT),
      repeatedArrivals: COUNT,
      repeatedNames: z.array(TEXT),
      changedAt: TEXT.nullable(),
    }),
  ),
  reportFolder: TEXT.nullable(),
});
