import { z } from 'zod';
import { remedySchema } from './common.js';
import { ANY, COUNT, DISPOSITION, STATE, TEXT } from './words.js';

const DECISION = z.strictObject({
  decisionId: COUNT,
  kind: TEXT,
  who: TEXT,
  door: TEXT,
  because: TEXT.nullable(),
  madeAt: TEXT,
  finishedAt: TEXT.nullable(),
});

/** `registrar trace --json`. */
export const traceSchema = z.strictObject({
  what: TEXT,
  at: TEXT,
  kind: TEXT.nullable(),
  rows: z.array(
    z.strictObject({
      drop: COUNT,
      file: TEXT,
      source: TEXT,
      sheet: TEXT.nullable(),
      sha256: TEXT,
      run: COUNT,
      takenAt: TEXT,
      line: COUNT,
      disposition: DISPOSITION,
      cells: z.array(z.strictObject({ column: TEXT, value: ANY })).nullable(),
      issues: z.array(
        z.strictObject({
          code: TEXT,
          column: TEXT.nullable(),
          value: TEXT.nullable(),
          message: TEXT.nullable(),
          remedy: TEXT,
        }),
      ),
      fields: z.array(
        z.strictObject({
          field: TEXT,
          column: TEXT.nullable(),
          before: TEXT.nullable(),
          after: ANY,
          rule: TEXT,
        }),
      ),
      settings: TEXT,
      submission: COUNT.nullable(),
      resolvedBy: COUNT.nullable(),
      resolvedIn: DECISION.nullable(),
    }),
  ),
  submissions: z.array(
    z.strictObject({
      submission: COUNT,
      operation: TEXT,
      environment: TEXT,
      key: TEXT,
      revision: COUNT,
      damaged: z.boolean(),
      record: z.record(TEXT, ANY).nullable(),
      drop: COUNT,
      line: COUNT,
      madeBy: DECISION.nullable(),
      state: STATE,
      heldReason: TEXT.nullable(),
      cause: TEXT.nullable(),
      platformCode: TEXT.nullable(),
      acceptedAs: TEXT.nullable(),
      nextAttemptAt: TEXT.nullable(),
      replacedBy: COUNT.nullable(),
      replaces: z.array(COUNT),
      transitions: z.array(
        z.strictObject({
          from: STATE,
          event: TEXT,
          to: STATE,
          cause: TEXT.nullable(),
          reason: TEXT.nullable(),
          at: TEXT,
          run: COUNT.nullable(),
          attempt: COUNT.nullable(),
          decision: DECISION.nullable(),
        }),
      ),
      attempts: z.array(
        z.strictObject({
          attempt: COUNT,
          run: COUNT,
          startedAt: TEXT,
          isOpen: z.boolean(),
          answers: z.array(
            z.strictObject({
              outcome: TEXT,
              reason: TEXT.nullable(),
              status: COUNT.nullable(),
              failure: TEXT.nullable(),
              errorId: TEXT.nullable(),
              errorCode: TEXT.nullable(),
              errorTitle: TEXT.nullable(),
              errorDetail: TEXT.nullable(),
              errorSource: TEXT.nullable(),
              platformId: TEXT.nullable(),
              bodyState: TEXT.nullable(),
              headers: z.record(TEXT, TEXT),
              body: TEXT.nullable(),
              receivedAt: TEXT,
              durationMs: COUNT,
              isLate: z.boolean(),
            }),
          ),
        }),
      ),
      next: TEXT,
      choices: z.array(z.strictObject({ when: TEXT, command: TEXT, remedy: remedySchema })),
    }),
  ),
  corrections: z.array(
    z.strictObject({
      old: z.strictObject({ type: TEXT, id: TEXT }),
      now: z.strictObject({ type: TEXT, id: TEXT }),
    }),
  ),
  unsearched: COUNT,
  remarks: z.array(TEXT),
});
