import { z } from 'zod';
import { COUNT, DISPOSITION, TEXT } from './words.js';

/** What a sheet of corrected rows would do. */
export const redropSchema = z.strictObject({
  sheet: TEXT.nullable(),
  source: TEXT,
  corrects: z.array(z.strictObject({ drop: COUNT, file: TEXT })),
  rows: z.array(
    z.strictObject({
      drop: COUNT,
      line: COUNT,
      originalLine: COUNT,
      disposition: DISPOSITION,
      original: TEXT,
    }),
  ),
});
