import { z } from 'zod';
import { ANY, COUNT, SELECTABLE, TEXT } from './words.js';

const chosen = {
  count: COUNT,
  causes: z.array(z.strictObject({ state: TEXT, code: TEXT, environment: TEXT, rows: COUNT })),
  leftOut: z.array(
    z.strictObject({
      submissionId: COUNT.nullable(),
      drop: COUNT.nullable(),
      file: TEXT.nullable(),
      line: COUNT.nullable(),
      state: TEXT,
    }),
  ),
};

const selectedRow = z.strictObject({
  submissionId: COUNT.nullable(),
  state: SELECTABLE,
  code: TEXT,
  environment: TEXT,
  drop: COUNT,
  file: TEXT,
  line: COUNT,
});

const setAside = z.strictObject({ drop: COUNT, source: TEXT, file: TEXT });

/** `registrar rerun --dry-run --json`. */
export const rerunPlanSchema = z.strictObject({
  dryRun: z.boolean(),
  requests: COUNT,
  environments: z.array(
    z.strictObject({ environment: TEXT, requests: COUNT, estimatedMs: COUNT.nullable() }),
  ),
  overrides: z.record(TEXT, COUNT),
  replaced: COUNT,
  damaged: COUNT,
  behind: COUNT,
  ahead: COUNT,
  invalid: COUNT,
  ...chosen,
  selected: z.array(
    selectedRow.extend({ replacedBy: COUNT.nullable(), behind: COUNT.nullable(), damaged: z.boolean() }),
  ),
});

/** `registrar dismiss --dry-run --json`. */
export const dismissalPlanSchema = z.strictObject({
  dryRun: z.boolean(),
  files: z.array(setAside),
  ...chosen,
  selected: z.array(selectedRow),
});

/** `registrar dismiss --json`. */
export const dismissedSchema = z.strictObject({
  decision: COUNT,
  files: z.array(setAside),
  moved: COUNT,
  resolved: COUNT,
});

/** `registrar map --json`, with two identifiers. */
export const mappingSchema = z.strictObject({
  dryRun: z.boolean(),
  oldType: TEXT,
  newType: TEXT,
  replacesEarlier: z.boolean(),
  selected: z.array(
    z.strictObject({ submissionId: COUNT, state: TEXT, code: TEXT, file: TEXT, line: COUNT }),
  ),
  made: COUNT,
  linked: COUNT,
  left: COUNT,
  standing: z.array(z.strictObject({ state: TEXT, heldReason: TEXT.nullable(), count: COUNT })),
  sending: COUNT,
  accepted: COUNT,
});

/** `registrar restage --json`. */
export const restagingSchema = z.strictObject({
  drop: COUNT,
  file: TEXT,
  dryRun: z.boolean(),
  decision: COUNT.nullable(),
  open: COUNT,
  made: COUNT,
  repeated: COUNT,
  skipped: COUNT,
  still: COUNT,
  issues: z.array(
    z.strictObject({
      line: COUNT,
      code: TEXT,
      column: TEXT.nullable(),
      value: TEXT.nullable(),
      message: TEXT,
      remedy: TEXT,
    }),
  ),
  records: z.array(
    z.strictObject({
      line: COUNT,
      key: TEXT,
      request: z.strictObject({ method: TEXT, path: TEXT, body: ANY }),
    }),
  ),
});
