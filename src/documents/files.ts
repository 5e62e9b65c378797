import { z } from 'zod';
import { DROP_STATES } from '../domain/drop.js';
import { FILE_STANDINGS } from '../domain/files/file-standing.js';
import { closureSchema } from './report.js';
import { BY_DISPOSITION, COUNT, type DocumentOf, document, NEXT, STATE, TEXT } from './words.js';

const file = z.strictObject({
  drop: COUNT,
  source: TEXT,
  file: TEXT,
  importedAt: TEXT,
  state: z.enum(DROP_STATES),
  standing: z.enum(FILE_STANDINGS),
  rows: COUNT.nullable().describe('null unless its rows count.'),
  bytes: COUNT,
  run: COUNT,
  operation: TEXT,
  environment: TEXT,
  refusal: TEXT.nullable().describe('Why the file was refused. Personal.'),
  closure: closureSchema.nullable(),
  dispositions: BY_DISPOSITION,
  states: z.partialRecord(STATE, COUNT).describe('Empty unless its rows count.'),
});

export type ListedFile = DocumentOf<typeof file>;

export const filesSchema = document('Files', 'A page, the latest first unless another order is requested.', {
  files: z.array(file),
  total: COUNT,
  next: NEXT,
});

export const droppedSchema = document(
  'Dropped',
  'The file is complete in the inbox; `look` is the page that shows it.',
  {
    source: TEXT,
    name: TEXT,
    bytes: COUNT,
    sha256: TEXT,
    look: TEXT,
  },
);
