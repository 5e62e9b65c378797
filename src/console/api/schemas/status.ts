import { z } from 'zod';
import { HEALTH_PARTS } from '../../../domain/health/health.js';
import { outageSchema, remedySchema } from './common.js';
import { COUNT, EXIT, RUN_END, TEXT, TRIGGER, UNTAKEN } from './words.js';

const SUBJECT = { part: z.enum(HEALTH_PARTS), subject: TEXT };

/** `registrar status --health --json`. */
export const healthSchema = z.strictObject({
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

/** `registrar status --json`. */
export const statusSchema = z.strictObject({
  health: healthSchema,
  environments: z.array(
    z.strictObject({
      environment: TEXT,
      waiting: COUNT,
      requests: COUNT,
      estimatedEnd: TEXT.nullable(),
      estimatedMs: COUNT,
      deliverBy: z
        .strictObject({
          time: TEXT,
          timeZone: TEXT,
          at: TEXT,
          isMissed: z.boolean(),
          lateByMs: COUNT.nullable(),
        })
        .nullable(),
      quota: z.strictObject({
        allowed: COUNT,
        permits: COUNT,
        pausedForMs: COUNT,
        sharedWith: z.array(TEXT),
      }),
      pushedBy: z
        .strictObject({ pid: COUNT, host: TEXT, runId: COUNT.nullable(), takesAll: z.boolean() })
        .nullable(),
    }),
  ),
  outages: z.array(outageSchema),
  stranded: z.array(z.strictObject({ environment: TEXT, waiting: COUNT })),
  attention: z.array(
    z.strictObject({
      code: TEXT,
      cause: TEXT,
      state: TEXT,
      count: COUNT,
      reason: TEXT,
      remedy: TEXT,
      command: TEXT.nullable(),
      commands: z.array(TEXT),
      remedies: z.array(remedySchema),
      files: COUNT,
      choices: z.array(z.strictObject({ when: TEXT, command: TEXT, remedy: remedySchema })),
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
  setAside: z.array(
    z.strictObject({
      drop: COUNT,
      source: TEXT,
      file: TEXT,
      takenAt: TEXT,
      code: TEXT,
      refusal: TEXT,
      command: TEXT,
      remedy: remedySchema,
    }),
  ),
  untaken: z.array(
    z.strictObject({ source: TEXT.nullable(), path: TEXT, code: UNTAKEN, reason: TEXT, remedy: TEXT }),
  ),
  alerts: z.strictObject({
    open: COUNT,
    channels: COUNT,
    closing: COUNT,
    failing: z.array(
      z.strictObject({ channel: TEXT, since: TEXT, tries: COUNT, error: TEXT, command: TEXT }),
    ),
  }),
  runs: z.array(
    z.strictObject({
      runId: COUNT,
      trigger: TRIGGER,
      startedAt: TEXT,
      endedAt: TEXT.nullable(),
      end: RUN_END.nullable(),
      files: COUNT,
      rows: COUNT,
      requests: COUNT,
    }),
  ),
  schedule: z.array(
    z.strictObject({
      job: TEXT,
      slotAt: TEXT.nullable(),
      ending: TEXT.nullable(),
      missed: COUNT,
      lastDoneAt: TEXT.nullable(),
      nextAt: TEXT.nullable(),
    }),
  ),
});
