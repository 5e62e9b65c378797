import { z } from 'zod';
import { issueSchema, recordSchema } from './common.js';
import { correctedSheetSchema } from './correction.js';
import { sheetsLeftSchema } from './report.js';
import { ANY, BY_DISPOSITION, COUNT, type DocumentOf, document, ISSUE_CODE, TEXT } from './words.js';

const sheet = z.strictObject({
  name: TEXT,
  state: z.enum(['visible', 'hidden', 'veryHidden']),
  rows: COUNT.nullable().describe('The highest row number that it claims; null: none; 0: it has no values.'),
});

export const checkSchema = document('Check', 'The document of registrar check --json.', {
  drop: z.strictObject({ sha256: TEXT, bytes: COUNT, format: TEXT }),
  operation: z.strictObject({ name: TEXT, notShown: TEXT }).optional(),
  text: z
    .strictObject({
      encoding: TEXT.describe('WHATWG label: utf-8, utf-16le, utf-16be, windows-1252, …'),
      fallback: z.boolean().describe('Neither source nor file gives the encoding.'),
      bom: z.boolean(),
      delimiter: TEXT,
      lineEnds: z.enum(['lf', 'crlf', 'cr', 'mixed', 'none']).describe('Of records, in the first 64 KiB.'),
      rowEnd: TEXT.nullable().describe('The mark that ends its rows; null: a line end.'),
    })
    .optional(),
  workbook: z
    .strictObject({
      epoch: z.literal([1900, 1904]),
      sheets: z.array(sheet).describe('In the workbook’s order.'),
      sheet: TEXT.nullable(),
      reads: z.array(TEXT),
      sheetsLeft: sheetsLeftSchema,
    })
    .optional(),
  header: z
    .strictObject({
      line: COUNT,
      columns: z.array(TEXT),
      mapped: z.record(TEXT, TEXT),
      unmapped: z.array(TEXT),
      deciding: z.array(TEXT),
      preset: z
        .strictObject({
          name: TEXT,
          title: TEXT,
          why: TEXT,
          has: z.array(TEXT),
          settings: z.record(TEXT, ANY),
        })
        .nullable(),
    })
    .nullable(),
  attentionOf: TEXT.optional(),
  rows: z.array(z.strictObject({ line: COUNT, isHidden: z.boolean().optional(), cells: z.array(ANY) })),
  counts: z.strictObject({ records: COUNT, blank: COUNT, hidden: COUNT }),
  zoneNotes: z.array(z.strictObject({ line: COUNT, zone: TEXT.nullable(), text: TEXT })),
  dispositions: BY_DISPOSITION.nullable(),
  hiddenRows: COUNT,
  issues: z.array(issueSchema.extend({ sheet: TEXT.optional(), line: COUNT.optional() })),
  omitted: z
    .array(z.strictObject({ code: ISSUE_CODE, column: TEXT, count: COUNT }))
    .describe('The columns that records would be sent without.'),
  records: z.array(recordSchema.extend({ sheet: TEXT.optional() })),
  corrections: z.array(correctedSheetSchema),
});

export type CheckDocument = DocumentOf<typeof checkSchema>;
