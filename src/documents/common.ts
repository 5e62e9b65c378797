import { z } from 'zod';
import { FAULT_CODES } from '../domain/environment/fault.js';
import { ANY, COUNT, type DocumentOf, document, EXIT, ISSUE_CODE, TEXT, UNMATCHED } from './words.js';

export const issueSchema = document('Issue', 'Why a row is no record, or a file is not read.', {
  code: ISSUE_CODE,
  column: TEXT.nullable(),
  value: TEXT.nullable(),
  message: TEXT,
  remedy: TEXT,
});

export const outageSchema = document('Outage', 'An environment or an operation that can’t be used.', {
  environment: TEXT,
  operation: TEXT.nullable().describe('null: the whole environment.'),
  since: TEXT.describe('The first run that couldn’t use it.'),
  lastAt: TEXT.describe('The latest such run, or the run that the report is about.'),
  endedAt: TEXT.nullable().describe('null while it lasts.'),
  runs: COUNT.describe('How many runs couldn’t use it.'),
  code: z.enum(FAULT_CODES),
  reason: TEXT.describe('Why, with the address of the request.'),
  remedy: TEXT,
  waiting: COUNT.describe('Rows that wait for the end of the outage now.'),
});

export type ReportedOutage = DocumentOf<typeof outageSchema>;

/** Something in an inbox that no source takes, or that a run could not take. */
export const unmatchedSchema = z.strictObject({
  source: TEXT.nullable().describe('The source whose inbox it is in; null: in the folder `inbox/` itself.'),
  path: TEXT.describe('Relative to the workspace; absolute where the inbox is elsewhere.'),
  code: UNMATCHED,
  reason: TEXT.describe('The rest of the sentence after the path: "is a folder". Without its full stop.'),
  remedy: TEXT,
});

export type UnmatchedFile = DocumentOf<typeof unmatchedSchema>;

export const remedySchema = document('Remedy', 'What can be done about a cause, as data.', {
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
});

/** A record that would be delivered; records that share a request have the same `request`. */
export const recordSchema = z.strictObject({
  line: COUNT,
  key: TEXT,
  request: z.strictObject({ method: TEXT, path: TEXT, body: ANY }),
});

/** A remedy that is right in one case; a person has to find out whether that is the case. */
export const choiceSchema = z.strictObject({ when: TEXT, command: TEXT, remedy: remedySchema });

export const failureSchema = document('Failure', 'Why something can’t be done.', {
  error: z.strictObject({
    operation: TEXT,
    subject: TEXT,
    message: TEXT,
    hint: TEXT,
    exit: EXIT,
  }),
});

const requestMistake = z.strictObject({
  in: z.enum(['body', 'query', 'header']),
  field: TEXT.nullable().describe('With dots between its parts, such as selection.states; null: all of it.'),
  message: TEXT.describe('Follows the name of the field.'),
});

export type RequestMistake = DocumentOf<typeof requestMistake>;

export const problemSchema = document('Problem', 'Why a request was refused (RFC 9457).', {
  type: TEXT.describe('`urn:registrar:problem:` and the code that docs/api.md lists.'),
  title: TEXT,
  status: COUNT,
  detail: TEXT,
  instance: TEXT.describe('The path of the request.'),
  operation: TEXT,
  subject: TEXT,
  hint: TEXT.describe('What to do; may be empty.'),
  errors: z.array(requestMistake).optional().describe('All mistakes of the request.'),
});

export type Problem = DocumentOf<typeof problemSchema>;
