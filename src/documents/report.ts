import { z } from 'zod';
import { EQUATIONS, type EquationName } from '../domain/balance/equations.js';
import { ROW_OUTCOMES } from '../domain/delivery/correction.js';
import { DROP_STATES } from '../domain/drop.js';
import { NOTICE_CODES } from '../domain/environment/notice.js';
import { STATES } from '../domain/submission.js';
import { ALTERATION_KINDS } from '../domain/text/alteration.js';
import { outageSchema, unmatchedSchema } from './common.js';
import {
  BY_DISPOSITION,
  CAUSE,
  COUNT,
  countsOf,
  type DocumentOf,
  document,
  ISSUE_CODE,
  SELECTABLE,
  STATE,
  TEXT,
} from './words.js';

const EQUATION = z.enum(Object.keys(EQUATIONS) as EquationName[]);

const holder = z.strictObject({
  pid: COUNT,
  host: TEXT,
  runId: COUNT.nullable(),
  takesAll: z.boolean().describe('False where its run delivers only the rows that a rerun chose.'),
});

/** The process that delivers to an environment. */
export type Holder = DocumentOf<typeof holder>;

export const pushedBy = holder.nullable().describe('null: no process delivers now.');

const queue = z.strictObject({
  environment: TEXT,
  waiting: COUNT,
  estimatedMs: COUNT.nullable().describe('By the quota; null where registrar.yaml lacks the environment.'),
  estimatedEnd: TEXT.nullable().describe('If delivery began now; null without waiting rows or in an outage.'),
  pushedBy,
});

export type Queue = DocumentOf<typeof queue>;

/** The rows that wait for one environment, whichever run staged them, and the process that delivers them. */
export type WaitingQueue = Omit<Queue, 'estimatedMs' | 'estimatedEnd'>;

const dropCount = z.strictObject({ drop: COUNT, file: TEXT, count: COUNT });

export type DropCount = DocumentOf<typeof dropCount>;

export const causeSchema = z.strictObject({
  code: TEXT.describe('What people select by: the platform’s own code where it has one, else the cause.'),
  cause: z.union([CAUSE, ISSUE_CODE]),
  state: SELECTABLE.describe('`invalid`: rows that became no record.'),
  reason: TEXT,
  remedy: TEXT,
  count: COUNT.describe('Rows; the sum over the drops.'),
  example: TEXT.describe('Where one such row is: file:line.'),
  drops: z.array(dropCount).describe('In order of arrival.'),
});

export type ReportedCause = DocumentOf<typeof causeSchema>;

export type CauseCount = Omit<ReportedCause, 'reason' | 'remedy'>;

export type AttentionCause = Pick<ReportedCause, 'state' | 'cause' | 'code'>;

const notice = z.strictObject({
  code: z.enum(NOTICE_CODES),
  environment: TEXT,
  message: TEXT,
  remedy: TEXT,
  count: COUNT.describe('How often it was seen.'),
});

const omitted = z.strictObject({
  code: ISSUE_CODE,
  reason: TEXT,
  column: TEXT,
  count: COUNT,
  example: TEXT.describe('Where one such row is: file:line.'),
  drops: z.array(dropCount),
});

export type ReportedOmission = DocumentOf<typeof omitted>;

const imbalance = z.strictObject({
  equation: EQUATION,
  subject: TEXT.describe('The drop’s source and file, or the environment.'),
  expected: COUNT,
  found: COUNT,
  examples: z.array(TEXT).describe('Up to 20 surplus or missing rows or requests, and counts that differ.'),
});

export type Imbalance = DocumentOf<typeof imbalance>;

const alteration = z.strictObject({
  file: TEXT,
  line: COUNT,
  field: TEXT,
  kind: z.enum(ALTERATION_KINDS),
  sent: TEXT.nullable().describe('null once erased. Personal.'),
  returned: TEXT.nullable().describe('null once erased. Personal.'),
});

export const closureSchema = z.union([
  z.strictObject({ kind: z.literal('came-in'), drop: COUNT, at: TEXT }),
  z.strictObject({
    kind: z.literal('dismissed'),
    decision: COUNT,
    who: TEXT,
    because: TEXT.nullable(),
    at: TEXT,
  }),
]);

export type Closure = DocumentOf<typeof closureSchema>;

/** Visible sheets of a workbook that are not read; `rows`: the highest row number that a sheet states, null: none. */
export const sheetsLeftSchema = z.array(z.strictObject({ name: TEXT, rows: COUNT.nullable() }));

const file = z.strictObject({
  drop: COUNT,
  source: TEXT,
  file: TEXT.describe('In the report of a run in which its bytes only arrived again, its name then.'),
  firstFile: TEXT.describe('Its name when it first arrived.'),
  state: z.enum(DROP_STATES),
  rows: COUNT.nullable().describe('null unless published.'),
  hiddenRows: COUNT.describe('Rows of data among them that their sheet hides.'),
  sheetsLeft: sheetsLeftSchema,
  zones: z.array(z.strictObject({ line: COUNT.nullable(), text: TEXT })),
  refusal: TEXT.nullable().describe('Why it was refused. Personal.'),
  closure: closureSchema.nullable(),
  dispositions: BY_DISPOSITION,
  states: z.partialRecord(STATE, COUNT),
  repeatedArrivals: COUNT.describe('How often its bytes arrived again; for a run, while it ran.'),
  repeatedNames: z.array(TEXT),
  changedAt: TEXT.nullable().describe('When a run first found that it had changed after its import.'),
});

const correction = z.strictObject({
  decision: COUNT,
  file: TEXT,
  rows: countsOf(ROW_OUTCOMES).describe('Rows by outcome.'),
  issues: COUNT.describe('Problems of the file for which something was left unchanged.'),
});

export type ReportedCorrection = DocumentOf<typeof correction>;

const selection = z.strictObject({
  runId: COUNT.optional(),
  source: TEXT.optional(),
  fileName: TEXT.optional(),
  since: TEXT.optional(),
  until: TEXT.optional(),
});

/** What `run --json`, `rerun --json` and `report --json` have in common. */
export const booksSchema = z.strictObject({
  selection,
  at: TEXT.describe('When the ledger was read; all numbers belong to this moment.'),
  balanced: z
    .boolean()
    .describe('True when every control equation of the selection adds up; without one, of the whole ledger.'),
  equations: z.array(
    z.strictObject({
      over: TEXT,
      subject: TEXT,
      equation: EQUATION,
      left: COUNT,
      right: COUNT,
      holds: z.boolean(),
    }),
  ),
  imbalances: z.array(imbalance).describe('The equations that don’t hold, with the rows to look at.'),
  rows: COUNT.describe('Rows read from the selection’s drops; the sum of the dispositions.'),
  dispositions: BY_DISPOSITION,
  states: countsOf(STATES),
  // `repeats`: sent again although the platform may have carried out an earlier one.
  attempts: countsOf([
    'total',
    'responses',
    'noResponses',
    'open',
    'accepted',
    'rejected',
    'throttled',
    'repeats',
  ]),
  attention: COUNT.describe('How many rows and files need attention.'),
  attentionRows: COUNT.describe('Open rows that became no record, and submissions that need attention.'),
  attentionFiles: COUNT.describe('Refused files; their rows are not in `attentionRows`.'),
  attentionElsewhere: z
    .strictObject({ rows: COUNT, files: COUNT })
    .describe('What needs attention and is not part of the selection.'),
  waiting: z
    .array(queue)
    .describe('Waiting rows of the ledger, whatever the selection: they include those that a run has left.'),
  causes: z.array(causeSchema).describe('Most rows first.'),
  outages: z
    .array(outageSchema)
    .describe('Environments that can’t be used, and those that the run couldn’t use and that work again.'),
  notices: z.array(notice),
  unknownLearners: z
    .strictObject({ learners: COUNT, rows: COUNT })
    .describe('Learners whom the platform doesn’t know, and their rows that were refused or held for it.'),
  omitted: z.array(omitted).describe('Most rows first.'),
  altered: z
    .strictObject({
      counts: countsOf(ALTERATION_KINDS),
      shown: z.array(alteration).describe('The first of them.'),
    })
    .describe('Texts that the platform returned differently from how they were sent.'),
  existing: z
    .strictObject({
      existed: COUNT.describe('Left as they were.'),
      revived: COUNT.describe('Updated to match their rows.'),
    })
    .describe('Accepted submissions whose course or group existed before.'),
  unmatched: z.array(unmatchedSchema).nullable().describe('null where the inboxes were not read.'),
  files: z.array(file).describe('In order of arrival.'),
  corrections: z.array(correction).describe('Files of corrections, by their decisions.'),
});

export type BooksDocument = DocumentOf<typeof booksSchema>;

export const reportSchema = document('Report', 'The document of registrar report --json.', {
  ...booksSchema.shape,
  reportFolder: TEXT.nullable(),
});

export type ReportDocument = DocumentOf<typeof reportSchema>;
