import { z } from 'zod';
import { HELD_CAUSES } from '../domain/cause.js';
import { issueSchema, recordSchema } from './common.js';
import { rerunDone } from './run.js';
import { COUNT, type DocumentOf, document, namedDocument, SELECTABLE, STATE, TEXT } from './words.js';

/** `drop`, `file` and `line` are null for a submission that was named by its number. */
const omitted = z.strictObject({
  submissionId: COUNT.nullable().describe('null for a line that became no submission.'),
  drop: COUNT.nullable(),
  file: TEXT.nullable(),
  line: COUNT.nullable(),
  state: TEXT.describe('Its state or disposition; `resolved`: a decision has resolved the invalid row.'),
});

export type OmittedRow = DocumentOf<typeof omitted>;

const chosen = {
  count: COUNT,
  causes: z.array(z.strictObject({ state: TEXT, code: TEXT, environment: TEXT, rows: COUNT })),
  omitted: z.array(omitted),
};

const selectedRow = z.strictObject({
  submissionId: COUNT.nullable().describe('null for a row that became no record.'),
  state: SELECTABLE,
  code: TEXT.describe('By which people select it; of an invalid row its leading issue’s.'),
  environment: TEXT,
  drop: COUNT,
  file: TEXT,
  line: COUNT,
});

export type MatchingRow = DocumentOf<typeof selectedRow>;

const refusedFiles = z.strictObject({ drop: COUNT, source: TEXT, file: TEXT });

const plannedRequests = z.strictObject({
  environment: TEXT,
  requests: COUNT,
  estimatedMs: COUNT.nullable().describe('At the quota; null where registrar.yaml lacks the environment.'),
});

export type PlannedRequests = DocumentOf<typeof plannedRequests>;

const rerunPlan = z.strictObject({
  dryRun: z.boolean(),
  requests: COUNT,
  environments: z.array(plannedRequests).describe('Most requests first.'),
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

export const rerunSchema = namedDocument(
  'Rerun',
  'The document of registrar rerun --json: with `dryRun`, and where no row fits, the selection; with `wait` the run.',
  z.union([rerunPlan, rerunDone]),
);

const dismissalPlan = z.strictObject({
  dryRun: z.boolean(),
  files: z.array(refusedFiles),
  ...chosen,
  selected: z.array(selectedRow),
});

const dismissed = z.strictObject({
  decision: COUNT,
  files: z.array(refusedFiles),
  moved: COUNT,
  resolved: COUNT,
});

export const dismissalSchema = namedDocument(
  'Dismissal',
  'The document of registrar dismiss --json: with `dryRun`, and where nothing fits, the selection.',
  z.union([dismissalPlan, dismissed]),
);

const standing = z.strictObject({
  state: STATE,
  heldReason: z.enum(HELD_CAUSES).nullable().describe('null where they are not held.'),
  count: COUNT,
});

export type StandingRows = DocumentOf<typeof standing>;

export const mappingSchema = document('Mapping', 'The document of registrar map --json.', {
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
  standing: z.array(standing),
  sending: COUNT,
  accepted: COUNT,
});

export const restagingSchema = document('Restaging', 'The document of registrar restage --json.', {
  drop: COUNT,
  file: TEXT,
  dryRun: z.boolean(),
  decision: COUNT.nullable(),
  open: COUNT.describe('Invalid rows that were open.'),
  made: COUNT.describe('Of these, rows that became new submissions.'),
  repeated: COUNT.describe('Of these, rows that repeat a submission.'),
  skipped: COUNT.describe('Of these, rows that the source’s settings of today skip.'),
  still: COUNT,
  issues: z
    .array(issueSchema.extend({ line: COUNT }))
    .describe('The first issues of rows that are still invalid.'),
  records: z.array(recordSchema),
});

export type Restaged = Pick<
  DocumentOf<typeof restagingSchema>,
  'open' | 'made' | 'repeated' | 'skipped' | 'still' | 'issues'
>;
