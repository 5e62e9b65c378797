import { z } from 'zod';
import { HEALTH_PARTS } from '../domain/health/health.js';
import { choiceSchema, outageSchema, remedySchema, unmatchedSchema } from './common.js';
import { causeSchema, pushedBy } from './report.js';
import { countedRun, estimateShape } from './run.js';
import { COUNT, countsOf, type DocumentOf, document, EXIT, ISSUE_CODE, TEXT } from './words.js';

const SUBJECT = { part: z.enum(HEALTH_PARTS), subject: TEXT };

export const healthSchema = document('Health', 'The document of registrar healthcheck --json.', {
  state: z.enum(['healthy', 'degraded', 'failed']),
  exit: EXIT,
  findings: z.array(
    z.strictObject({
      ...SUBJECT,
      state: z.enum(['degraded', 'failed']),
      code: TEXT,
      since: TEXT.nullable(),
      lastGoodAt: TEXT.nullable(),
      message: TEXT,
      remedy: TEXT,
      exit: EXIT,
    }),
  ),
  healthy: z.array(z.strictObject(SUBJECT)),
  unknown: z.array(z.strictObject(SUBJECT)),
});

const scheduledLine = z.strictObject({
  job: TEXT,
  slotAt: TEXT.nullable().describe('The time that was worked on last; null: none was.'),
  ending: TEXT.nullable().describe('How that ended; null while it is running, and where its process died.'),
  missed: COUNT.describe('How many missed times the run makes up for.'),
  lastDoneAt: TEXT.nullable().describe('When it last succeeded; null: never.'),
  nextAt: TEXT.nullable().describe('When it is due next, if a service is running then; null: never again.'),
});

export type ScheduledLine = DocumentOf<typeof scheduledLine>;

const refusedDrop = z.strictObject({
  drop: COUNT,
  source: TEXT,
  file: TEXT,
  importedAt: TEXT,
  code: z.enum([...ISSUE_CODE.options, 'control-total']),
  refusal: TEXT.describe('Why, and what to do. Personal: it may hold a value.'),
});

export type RefusedDrop = DocumentOf<typeof refusedDrop>;

const failingChannel = z.strictObject({
  channel: TEXT,
  since: TEXT.describe('When the first notification failed.'),
  tries: COUNT.describe('How often the one that failed most often did.'),
  error: TEXT,
});

export type FailingChannel = DocumentOf<typeof failingChannel>;

export const statusSchema = document('Status', 'The document of registrar status --json.', {
  health: healthSchema,
  environments: z.array(
    z.strictObject({
      environment: TEXT,
      waiting: COUNT,
      ...estimateShape,
      quota: countsOf(['allowed', 'permits', 'pausedForMs']).extend({ sharedWith: z.array(TEXT) }),
      pushedBy,
    }),
  ),
  outages: z.array(outageSchema),
  stranded: z.array(z.strictObject({ environment: TEXT, waiting: COUNT })),
  attention: z.array(
    causeSchema.omit({ example: true, drops: true }).extend({
      commands: z.array(TEXT),
      remedies: z.array(remedySchema),
      files: COUNT,
      choices: z.array(choiceSchema),
    }),
  ),
  unknownLearners: z.array(
    z.strictObject({
      environment: TEXT,
      learners: COUNT,
      rows: COUNT,
      nextRecheck: TEXT.nullable(),
      spent: COUNT,
    }),
  ),
  decisions: z.array(
    z.strictObject({ decision: COUNT, kind: TEXT, who: TEXT, door: TEXT, madeAt: TEXT, remedy: TEXT }),
  ),
  refusedFiles: z.array(refusedDrop.extend({ command: TEXT, remedy: remedySchema })),
  unmatched: z.array(unmatchedSchema),
  remoteInboxes: z.array(
    z.strictObject({
      source: TEXT,
      place: TEXT.describe('The server and its folder.'),
      lookedAt: TEXT.nullable().describe('The last check of the server, even a failed one; null: never.'),
      fetchedAt: TEXT.nullable().describe('When a file was last fetched; null: none ever was.'),
      waiting: COUNT.describe('Files that remained there after the last check.'),
      oldestAt: TEXT.nullable().describe('When the oldest of them was written, by the clock of the server.'),
      awaySince: TEXT.nullable().describe('Since when it can’t be used; null: it can.'),
    }),
  ),
  results: z.array(
    z.strictObject({
      source: TEXT,
      place: TEXT.describe('Where they go: a folder, a server and its folder, or a channel for mail.'),
      waiting: COUNT.describe('Results of files that the sender doesn’t have yet.'),
      moving: COUNT.describe('Those of them whose files have rows that still wait to be sent.'),
      failing: COUNT.describe('Those of them that can’t be delivered now.'),
      since: TEXT.nullable().describe('Since when the first of them can’t; null: all can.'),
      error: TEXT.nullable().describe('Why, as a sentence without its full stop.'),
    }),
  ),
  alerts: z.strictObject({
    open: COUNT,
    channels: COUNT,
    closing: COUNT,
    failing: z.array(failingChannel.extend({ command: TEXT })),
  }),
  runs: z.array(countedRun),
  schedule: z.array(scheduledLine),
});
