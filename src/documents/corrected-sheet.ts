import { z } from 'zod';
import { COUNT, DISPOSITION, type DocumentOf, TEXT } from './words.js';

export const correctedSheetSchema = z.strictObject({
  sheet: TEXT.nullable().describe('null for a text file.'),
  source: TEXT,
  effects: z
    .strictObject({ rerun: COUNT, replaced: COUNT, resolved: COUNT, unchanged: COUNT })
    .describe(
      'How many rows of the sheet do what to the rows that they correct. `rerun`: corrected to a record that was refused before, and sent again.',
    ),
  requests: COUNT.describe('Rows that would be sent, those that are sent again included.'),
  corrects: z.array(z.strictObject({ drop: COUNT, file: TEXT })),
  rows: z
    .array(
      z.strictObject({
        drop: COUNT,
        line: COUNT,
        originalLine: COUNT,
        disposition: DISPOSITION,
        original: z
          .enum(['rerun', 'replaced', 'resolved', 'unchanged'])
          .describe('What happens to the row that it corrects.'),
      }),
    )
    .describe('The first rows that correct a row of an original drop.'),
});

export type CorrectedSheet = DocumentOf<typeof correctedSheetSchema>;
