import { z } from 'zod';
import { CAUSE, COUNT, type DocumentOf, document, NEXT, SELECTABLE, TEXT } from './words.js';

export const readFieldSchema = z.strictObject({
  name: TEXT,
  column: TEXT.nullable().describe('The header; null where a setting of the source gave it.'),
  inFile: TEXT.nullable().describe('null where no column gives it, or where it was erased.'),
  asRead: TEXT.nullable().describe('null for a row that became no record.'),
});

const row = z.strictObject({
  submission: COUNT.nullable().describe('null for a row that became no record.'),
  drop: COUNT,
  file: TEXT,
  line: COUNT,
  sheet: TEXT.nullable().describe('null for text files.'),
  source: TEXT,
  environment: TEXT,
  operation: TEXT,
  state: SELECTABLE,
  cause: CAUSE.nullable().describe('null where the state says all, and for a row that became no record.'),
  code: TEXT.describe('By which people select it.'),
  reason: TEXT.nullable().describe('Why it is in its state; null where the state says all.'),
  remedy: TEXT.nullable(),
  since: TEXT.nullable().describe('Since when it is in its state.'),
  learner: TEXT.nullable().describe('Of the record, else of the file; null where neither has one.'),
  content: TEXT.nullable(),
  fields: z.array(readFieldSchema),
  cells: z
    .array(z.strictObject({ column: TEXT, text: TEXT }))
    .nullable()
    .describe('All cells with their headers; null where they were erased.'),
  requests: COUNT,
  status: COUNT.nullable(),
  answer: TEXT.nullable().describe('The platform’s words about it, or the reason for its silence.'),
  errorId: TEXT.nullable(),
  problems: z
    .array(
      z.strictObject({
        code: TEXT,
        column: TEXT.nullable().describe('The header, else the field; null: the whole row.'),
        sentence: TEXT,
        remedy: TEXT,
      }),
    )
    .describe('Why the row is no record.'),
});

/** A row as a list of rows shows it. Personal. */
export type ListedRow = DocumentOf<typeof row>;

export const rowsSchema = document('Rows', 'A page, in the order of files and lines.', {
  rows: z.array(row),
  total: COUNT.nullable().describe('Of the selection; null where counting them takes too long.'),
  complete: z.boolean().describe('False where the page was ended early, to answer in time.'),
  next: NEXT,
  unsearched: COUNT.describe('Rows without a record that were not searched for the selection’s learner.'),
});
