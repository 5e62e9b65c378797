import { z } from 'zod';
import { DROP_STATES } from '../../../domain/drop.js';
import { FILE_STANDINGS } from '../../../domain/files/file-standing.js';
import { COUNT, DISPOSITION, STATE, TEXT } from './words.js';

const counts = z.partialRecord(STATE, COUNT);

/** A page of the files that came in. */
export const filesSchema = z.strictObject({
  files: z.array(
    z.strictObject({
      drop: COUNT,
      source: TEXT,
      file: TEXT,
      takenAt: TEXT,
      state: z.enum(DROP_STATES),
      standing: z.enum(FILE_STANDINGS),
      rows: COUNT.nullable(),
      bytes: COUNT,
      run: COUNT,
      operation: TEXT,
      environment: TEXT,
      refusal: TEXT.nullable(),
      closure: z
        .strictObject({
          kind: TEXT,
          drop: COUNT.optional(),
          decision: COUNT.optional(),
          who: TEXT.optional(),
          because: TEXT.nullable().optional(),
          at: TEXT,
        })
        .nullable(),
      dispositions: z.partialRecord(DISPOSITION, COUNT),
      states: counts,
    }),
  ),
  total: COUNT,
  page: COUNT,
  perPage: COUNT,
});

/** A file that lies in an inbox now; `look` is where to see what becomes of it. */
export const droppedSchema = z.strictObject({
  source: TEXT,
  name: TEXT,
  bytes: COUNT,
  sha256: TEXT,
  look: TEXT,
});
