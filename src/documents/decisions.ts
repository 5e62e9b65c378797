import { z } from 'zod';
import { HELD_CAUSES } from '../domain/cause.js';
import { issueSchema, recordSchema } from './common.js';
import { correctionSchema, replacementSchema } from './correction.js';
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
  code: TEXT.describe('What people select it by; for an invalid row, the code of its leading issue.'),
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

const rerunSchema = namedDocument(
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

const dismissalSchema = namedDocument(
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

const mappingSchema = document('Mapping', 'The document of registrar map --json.', {
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

const restagingSchema = document('Restaging', 'The document of registrar restage --json.', {
  drop: COUNT,
  file: TEXT,
  dryRun: z.boolean(),
  decision: COUNT.nullable(),
  open: COUNT.describe('Invalid rows that were open.'),
  made: COUNT.describe('Of these, rows that became new submissions.'),
  repeated: COUNT.describe('Of these, rows that repeat a submission.'),
  skipped: COUNT.describe('Of these, rows that the source’s present settings skip.'),
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

export const DECISIONS = {
  rerun: rerunSchema,
  dismiss: dismissalSchema,
  map: mappingSchema,
  correct: correctionSchema,
  replace: replacementSchema,
  restage: restagingSchema,
  purge: purgeSchema,
  forget: forgetSchema,
} as const;
