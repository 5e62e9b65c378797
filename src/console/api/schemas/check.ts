import { z } from 'zod';
import { issueSchema } from './common.js';
import { redropSchema } from './redrop.js';
import { ANY, COUNT, DISPOSITION, TEXT } from './words.js';

/** `registrar check --json`. */
export const checkSchema = z.strictObject({
  drop: z.strictObject({ sha256: TEXT, bytes: COUNT, format: TEXT }),
  operation: z.strictObject({ name: TEXT, notShown: TEXT }).optional(),
  text: z
    .strictObject({
      encoding: TEXT,
      fallback: z.boolean(),
      bom: z.boolean(),
      delimiter: TEXT,
      lineEnds: TEXT,
      rowEnd: TEXT.nullable(),
    })
    .optional(),
  workbook: z
    .strictObject({
      epoch: COUNT,
      sheets: z.array(z.strictObject({ name: TEXT, state: TEXT, rows: COUNT.nullable() })),
      sheet: TEXT.nullable(),
      reads: z.array(TEXT),
      sheetsLeft: z.array(z.strictObject({ name: TEXT, rows: COUNT.nullable() })),
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
      tiedPresets: z.array(TEXT),
    })
    .nullable(),
  attentionOf: TEXT.optional(),
  rows: z.array(z.strictObject({ line: COUNT, isHidden: z.boolean().optional(), cells: z.array(ANY) })),
  counts: z.strictObject({ records: COUNT, blank: COUNT, hidden: COUNT }),
  zoneNotes: z.array(z.strictObject({ line: COUNT, zone: TEXT.nullable(), text: TEXT })),
  dispositions: z.partialRecord(DISPOSITION, COUNT).nullable(),
  hiddenRows: COUNT,
  issues: z.array(issueSchema.extend({ sheet: TEXT.optional(), line: COUNT.optional() })),
  leftOut: z.array(z.strictObject({ code: TEXT, column: TEXT, count: COUNT })),
  records: z.array(
    z.strictObject({
      sheet: TEXT.optional(),
      line: COUNT,
      key: TEXT,
      request: z.strictObject({ method: TEXT, path: TEXT, body: ANY }),
    }),
  ),
  redrops: z.array(redropSchema),
});
