import { z } from 'zod';
import { CORRECTION_EFFECTS, ROW_OUTCOMES } from '../domain/delivery/correction.js';
import { issueSchema, recordSchema } from './common.js';
import { COUNT, countsOf, DISPOSITION, type DocumentOf, document, FIELD_VALUE, TEXT } from './words.js';

export const correctedSheetSchema = z.strictObject({
  sheet: TEXT.nullable().describe('null for a text file.'),
  source: TEXT,
  effects: countsOf(CORRECTION_EFFECTS).describe(
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
        original: z.enum(CORRECTION_EFFECTS).describe('What happens to the row that it corrects.'),
      }),
    )
    .describe('The first rows that correct a row of an original drop.'),
});

export type CorrectedSheet = DocumentOf<typeof correctedSheetSchema>;

const cell = z.strictObject({
  column: TEXT,
  field: TEXT.nullable().describe('null where no field is read from it.'),
  was: TEXT,
  given: TEXT.nullable().describe('null where the cell is unchanged.'),
  value: FIELD_VALUE.nullable().describe('The field’s value; null where the cell is empty or can’t be read.'),
  rule: TEXT.nullable().describe('How the cell is read; null where no field is read from it.'),
});

export type CorrectedCell = DocumentOf<typeof cell>;

const row = correctedSheetSchema.shape.rows.element
  .pick({ drop: true, line: true, disposition: true, original: true })
  .extend({ file: TEXT, cells: z.array(cell) });

const decided = {
  decision: COUNT.nullable(),
  moved: COUNT.nullable(),
  resolved: COUNT.nullable(),
  rows: countsOf(ROW_OUTCOMES).nullable().describe('Rows by outcome; null where nothing was decided.'),
};

export const correctionSchema = document('Correction', 'The document of registrar correct --json.', {
  dryRun: z.boolean(),
  source: TEXT,
  row,
  issues: z.array(issueSchema),
  records: z.array(recordSchema.omit({ line: true })),
  ...decided,
});

export const replacementSchema = document('Replacement', 'The document of registrar replace --json.', {
  dryRun: z.boolean(),
  column: TEXT,
  find: TEXT,
  with: TEXT,
  isCut: z
    .boolean()
    .describe('True where only the first rows of the selection were read: repeat it for the others.'),
  corrected: COUNT.describe('How many of the rows with the text are corrected.'),
  selected: z
    .array(row.omit({ cells: true }).extend({ issues: z.array(issueSchema) }))
    .describe('The rows with the text, and what each would become.'),
  ...decided,
});
