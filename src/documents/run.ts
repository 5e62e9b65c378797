import { z } from 'zod';
import { unmatchedSchema } from './common.js';
import { booksSchema } from './report.js';
import { decisionSchema } from './trace.js';
import {
  ANY,
  COUNT,
  type DocumentOf,
  document,
  EXIT,
  NEXT,
  namedDocument,
  RUN_END,
  TEXT,
  TRIGGER,
} from './words.js';

const run = booksSchema.extend({
  run: COUNT,
  exit: EXIT,
  reportFolder: TEXT.nullable(),
  pushes: z.record(
    TEXT,
    z.strictObject({
      kind: TEXT,
      reason: TEXT.optional(),
      remedy: TEXT.optional(),
      takesAll: z.boolean().optional(),
      holder: z.strictObject({ pid: COUNT, host: TEXT, runId: COUNT.nullable() }).optional(),
    }),
  ),
  troubles: z.array(z.strictObject({ message: TEXT, hint: TEXT })),
});

export type RunDocument = DocumentOf<typeof run>;

/** `registrar rerun --json`, where rows were sent. */
export const rerunDone = run.extend({ moved: COUNT });

const deliverBy = z
  .strictObject({
    time: TEXT.describe('As registrar.yaml has it.'),
    timeZone: TEXT,
    at: TEXT.describe('The one of the row that has waited longest; the next where none waits.'),
    isMissed: z.boolean().describe('True where it has passed while rows that were due by it wait.'),
    lateByMs: COUNT.nullable().describe('How late the estimated end is; 0: in time; null: no estimate.'),
  })
  .nullable()
  .describe('null where registrar.yaml doesn’t say.');

const estimate = z.strictObject({
  environment: TEXT,
  rows: COUNT,
  requests: COUNT.describe('Requests that deliver them, where each is answered well.'),
  estimatedMs: COUNT.describe('With the remaining quota; 0 where no row is waiting.'),
  estimatedEnd: TEXT.nullable().describe(
    'If delivery begins now; null without waiting rows or in an outage.',
  ),
  quota: z
    .strictObject({ requests: COUNT, perMs: COUNT })
    .describe('What a run may use of the quota, per period.'),
  deliverBy,
});

export type DeliveryEstimate = DocumentOf<typeof estimate>;

/** The members of an estimate that `status --json` has. */
export const { shape: estimateShape } = estimate.omit({ environment: true, rows: true, quota: true });

const plannedFile = z.strictObject({
  file: TEXT,
  bytes: COUNT,
  restsForMs: COUNT.describe('How long the run would wait to see whether it still changes; 0: not at all.'),
});

const plannedSource = z.strictObject({
  source: TEXT,
  files: z.array(plannedFile).describe('Oldest first.'),
  remote: z
    .array(z.strictObject({ file: TEXT, bytes: COUNT.nullable().describe('null: the server doesn’t say.') }))
    .describe('Files that would be fetched first; none of a source without a remote inbox.'),
  claimed: COUNT.describe('Files that an earlier run has begun; this one resumes them.'),
  obstacle: z
    .strictObject({
      message: TEXT,
      hint: TEXT,
      confirmable: z
        .boolean()
        .describe('True: a run imports them once a person confirms the changed settings.'),
    })
    .nullable()
    .describe('Why no file of the source would be imported; null where nothing is in the way.'),
});

export type PlannedSource = DocumentOf<typeof plannedSource>;

const runPlan = z.strictObject({
  dryRun: z.boolean(),
  sources: z.array(plannedSource).describe('Empty where the inboxes are left alone.'),
  unmatched: z.array(unmatchedSchema),
  environments: z.array(estimate).describe('The rows already waiting; none if nothing is to be sent.'),
});

export type RunPlan = Omit<DocumentOf<typeof runPlan>, 'dryRun'>;

export const runSchema = namedDocument(
  'Run',
  'The document of registrar run --json: with `dryRun` the plan; with `wait` the run, once it has ended.',
  z.union([runPlan, run]),
);

export const begunRunSchema = document('BegunRun', 'It is still running; `look` shows its progress.', {
  run: COUNT,
  look: TEXT,
});

export const begunRerunSchema = document(
  'BegunRerun',
  'The rows are waiting again, and delivery has begun; `look` shows its progress.',
  { decision: COUNT, run: COUNT, moved: COUNT, look: TEXT },
);

export type BegunRerun = Omit<DocumentOf<typeof begunRerunSchema>, 'look'>;

export const countedRun = z.strictObject({
  runId: COUNT,
  trigger: TRIGGER,
  startedAt: TEXT,
  endedAt: TEXT.nullable().describe('null while it is running.'),
  end: RUN_END.nullable(),
  files: COUNT.describe('Files that it imported.'),
  rows: COUNT.describe('Their rows.'),
  requests: COUNT,
});

const listedRun = countedRun.omit({ runId: true }).extend({ run: COUNT, areAllCounted: z.boolean() });

export const listedRunSchema = namedDocument('ListedRun', 'A run with what it has done so far.', listedRun);

export const runsSchema = document('Runs', 'A page, the latest first.', {
  runs: z.array(listedRun),
  total: COUNT,
  next: NEXT,
});

const listedDecision = decisionSchema.omit({ decisionId: true }).extend({
  decision: COUNT,
  selection: z.record(TEXT, ANY),
  result: z.record(TEXT, COUNT).nullable().describe('null while it is carried out.'),
});

export const listedDecisionSchema = namedDocument(
  'ListedDecision',
  'Who decided what, when and why.',
  listedDecision,
);

export const decisionsSchema = document('Decisions', 'A page, the latest first.', {
  decisions: z.array(listedDecision),
  total: COUNT,
  next: NEXT,
});
