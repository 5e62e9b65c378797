import { z } from 'zod';
import { DOORS } from '../../../domain/decider.js';
import { reportSchema } from './report.js';
import { ANY, COUNT, EXIT, RUN_END, TEXT, TRIGGER, UNTAKEN } from './words.js';

/** What a run adds to a report, in `registrar run --json`. */
const run = {
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
};

/** `registrar run --json`. */
export const runSchema = reportSchema.extend(run);

/** `registrar rerun --json`, where rows were sent. */
export const rerunSchema = runSchema.extend({ moved: COUNT });

/** `registrar run --dry-run --json`. */
export const runPlanSchema = z.strictObject({
  dryRun: z.boolean(),
  sources: z.array(
    z.strictObject({
      source: TEXT,
      files: z.array(z.strictObject({ file: TEXT, bytes: COUNT, restsForMs: COUNT })),
      claimed: COUNT,
      obstacle: z.strictObject({ message: TEXT, hint: TEXT }).nullable(),
    }),
  ),
  untaken: z.array(
    z.strictObject({ source: TEXT.nullable(), path: TEXT, code: UNTAKEN, reason: TEXT, remedy: TEXT }),
  ),
  environments: z.array(
    z.strictObject({
      environment: TEXT,
      rows: COUNT,
      requests: COUNT,
      estimatedMs: COUNT,
      estimatedEnd: TEXT.nullable(),
      quota: z.strictObject({ requests: COUNT, perMs: COUNT }),
      deliverBy: z
        .strictObject({
          time: TEXT,
          timeZone: TEXT,
          at: TEXT,
          isMissed: z.boolean(),
          lateByMs: COUNT.nullable(),
        })
        .nullable(),
    }),
  ),
});

/** A run that goes on. */
export const begunRunSchema = z.strictObject({ run: COUNT });

/** A rerun whose delivery goes on. */
export const begunRerunSchema = z.strictObject({ decision: COUNT, run: COUNT, moved: COUNT });

/** A page of runs. */
export const runsSchema = z.strictObject({
  runs: z.array(
    z.strictObject({
      run: COUNT,
      trigger: TRIGGER,
      startedAt: TEXT,
      endedAt: TEXT.nullable(),
      end: RUN_END.nullable(),
      files: COUNT,
      rows: COUNT,
      requests: COUNT,
      areAllCounted: z.boolean(),
    }),
  ),
  total: COUNT,
  next: COUNT.nullable(),
});

/** A page of decisions. */
export const decisionsSchema = z.strictObject({
  decisions: z.array(
    z.strictObject({
      decision: COUNT,
      kind: TEXT,
      who: TEXT,
      door: z.enum(DOORS),
      because: TEXT.nullable(),
      madeAt: TEXT,
      finishedAt: TEXT.nullable(),
      selection: z.record(TEXT, ANY),
      result: z.record(TEXT, COUNT).nullable(),
    }),
  ),
  total: COUNT,
  next: COUNT.nullable(),
});
