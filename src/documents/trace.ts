import { z } from 'zod';
import { ACCEPTED_AS, HELD_CAUSES } from '../domain/cause.js';
import { DOORS } from '../domain/decider.js';
import { OUTCOME_KINDS } from '../domain/outcome.js';
import { TRANSITIONS } from '../domain/submission.js';
import { choiceSchema } from './common.js';
import {
  ANY,
  CAUSE,
  COUNT,
  DISPOSITION,
  type DocumentOf,
  document,
  FIELD_VALUE,
  ISSUE_CODE,
  STATE,
  TEXT,
} from './words.js';

export const decisionSchema = z.strictObject({
  decisionId: COUNT,
  kind: TEXT,
  who: TEXT,
  door: z.enum(DOORS),
  because: TEXT.nullable(),
  madeAt: TEXT,
  finishedAt: TEXT.nullable().describe('null while it is not carried out to its end.'),
});

export type TracedDecision = DocumentOf<typeof decisionSchema>;

const issue = z.strictObject({
  code: ISSUE_CODE,
  column: TEXT.nullable(),
  value: TEXT.nullable().describe('null once erased.'),
  message: TEXT.nullable().describe('null once erased.'),
  remedy: TEXT,
});

/** One issue of a row as it is kept. Personal: value and sentence are null once erased. */
export type RowIssue = DocumentOf<typeof issue>;

const field = z.strictObject({
  field: TEXT,
  column: TEXT.nullable().describe('The column’s header; null where no column gives the field.'),
  before: TEXT.nullable().describe('The cell as a person reads it; null where there is none.'),
  after: FIELD_VALUE.nullable().describe('The value that was read; null: it says nothing, or can’t be read.'),
  rule: TEXT.describe('What was done, in words.'),
});

/** How a field of a row came about. Personal. */
export type ExplainedField = DocumentOf<typeof field>;

const row = z.strictObject({
  drop: COUNT,
  file: TEXT,
  source: TEXT,
  sheet: TEXT.nullable(),
  sha256: TEXT,
  run: COUNT,
  importedAt: TEXT,
  line: COUNT,
  disposition: DISPOSITION,
  cells: z
    .array(z.strictObject({ column: TEXT, value: ANY }))
    .nullable()
    .describe('With their headers; null for a blank row, and for one that was erased.'),
  correctedBy: decisionSchema
    .nullable()
    .describe('The decision that gave the row these cells; null: they were read from the file.'),
  issues: z.array(issue),
  fields: z.array(field).describe('Empty where the row is only listed.'),
  settings: z
    .enum(['same', 'changed', 'unknown'])
    .describe('Whether `fields` follow the settings of staging. `unknown`: comparing them takes too long.'),
  submission: COUNT.nullable().describe('What the row became or repeats; null: nothing.'),
  resolvedBy: COUNT.nullable(),
  resolvedIn: decisionSchema.nullable(),
});

const answer = z.strictObject({
  outcome: z.enum(OUTCOME_KINDS),
  reason: TEXT.nullable(),
  status: COUNT.nullable().describe('null where no answer came; `failure` says why.'),
  failure: TEXT.nullable(),
  errorId: TEXT.nullable(),
  errorCode: TEXT.nullable(),
  errorTitle: TEXT.nullable(),
  errorDetail: TEXT.nullable(),
  errorSource: TEXT.nullable(),
  platformId: TEXT.nullable(),
  bodyState: z.enum(['complete', 'incomplete', 'capped']).nullable().describe('Whether `body` is all of it.'),
  headers: z.record(TEXT, TEXT).describe('Selected ones.'),
  body: TEXT.nullable().describe(
    'Word for word, with secrets masked; null where there was none, and once erased.',
  ),
  receivedAt: TEXT,
  durationMs: COUNT,
  isLate: z.boolean(),
});

/** The result of a request, in the platform's own words. Personal. */
export type LifeAnswer = DocumentOf<typeof answer>;

const attempt = z.strictObject({
  attempt: COUNT,
  run: COUNT,
  startedAt: TEXT,
  isOpen: z.boolean().describe('No answer has come, and the attempt is not abandoned.'),
  answers: z.array(answer).describe('More than one where an answer came after the attempt was abandoned.'),
});

export type LifeAttempt = DocumentOf<typeof attempt>;

const transition = z.strictObject({
  from: STATE,
  event: z.enum(TRANSITIONS.map((one) => one.event)),
  to: STATE,
  cause: CAUSE.nullable(),
  reason: TEXT.nullable(),
  at: TEXT,
  run: COUNT.nullable(),
  attempt: COUNT.nullable(),
  decision: decisionSchema.nullable(),
});

const submission = z.strictObject({
  submission: COUNT,
  operation: TEXT,
  environment: TEXT,
  key: TEXT.describe('Its idempotency key.'),
  revision: COUNT,
  damaged: z.boolean().describe('The ledger’s copy differs from what was staged.'),
  record: z.record(TEXT, FIELD_VALUE).nullable().describe('null once erased, and where it is damaged.'),
  drop: COUNT,
  line: COUNT,
  madeBy: decisionSchema.nullable().describe('null: staging made it.'),
  state: STATE,
  heldReason: z.enum(HELD_CAUSES).nullable(),
  cause: CAUSE.nullable().describe('null where the state says all.'),
  platformCode: TEXT.nullable(),
  acceptedAs: z.enum(ACCEPTED_AS).nullable().describe('null unless it is accepted.'),
  nextAttemptAt: TEXT.nullable(),
  replacedBy: COUNT.nullable(),
  replaces: z.array(COUNT),
  transitions: z.array(transition),
  attempts: z.array(attempt),
  next: TEXT,
  choices: z.array(choiceSchema),
});

const identifier = z.strictObject({ type: TEXT, id: TEXT });

export const traceSchema = document('Trace', 'The document of registrar trace --json.', {
  what: TEXT.describe('The search as it was typed.'),
  at: TEXT,
  kind: z
    .enum(['submission', 'row', 'learner', 'key'])
    .nullable()
    .describe('How it was understood: the first way that finds something; null: none does.'),
  rows: z.array(row),
  submissions: z.array(submission),
  corrections: z.array(z.strictObject({ old: identifier, now: identifier })),
  unsearched: COUNT.describe('Rows that became no record and weren’t searched.'),
  remarks: z.array(TEXT).describe('What was searched without a result, and what else is known.'),
});

export type TraceDocument = DocumentOf<typeof traceSchema>;
