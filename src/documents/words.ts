import { z } from 'zod';
import { CAUSES } from '../domain/cause.js';
import { UNMATCHED_CODES } from '../domain/files/unmatched-file.js';
import { ISSUE_CODES, type IssueCode } from '../domain/issue.js';
import { EXIT_CODES } from '../domain/operator-error.js';
import { RUN_ENDS, RUN_TRIGGERS } from '../domain/process/run.js';
import { DISPOSITIONS } from '../domain/row.js';
import { STATES } from '../domain/submission.js';

/** What a schema describes, as a read-only value. */
export type DocumentOf<Schema extends z.ZodType> = Unchanged<z.output<Schema>>;

type Unchanged<T> = T extends readonly (infer Entry)[]
  ? readonly Unchanged<Entry>[]
  : T extends object
    ? { readonly [Name in keyof T]: Unchanged<T[Name]> }
    : T;

/** The schemas of documents by the names that OpenAPI gives them. */
export const DOCUMENTS = z.registry<{ readonly id: string }>();

/** The schema of a document, or of a part that several have in common. @param description when it is given. */
export function document<Shape extends z.core.$ZodLooseShape>(id: string, description: string, shape: Shape) {
  return namedDocument(id, description, z.strictObject(shape));
}

/** The same for a document that is one of several. */
export function namedDocument<Schema extends z.ZodType>(id: string, description: string, schema: Schema) {
  const described = schema.describe(description);
  DOCUMENTS.add(described, { id });
  return described;
}

export const TEXT = z.string();

/** A value of a file or a record: whatever JSON can hold. */
export const ANY = z.unknown();

export const FIELD_VALUE = z.union([z.string(), z.number(), z.boolean()]);

export const COUNT = z.int();

/** Of a page. */
export const NEXT = z
  .string()
  .nullable()
  .describe('The `after` of the page that follows; null: this is the last one.');

/** The words of docs/cli-json.md. */
export const STATE = z.enum(STATES);
export const DISPOSITION = z.enum(DISPOSITIONS);
export const CAUSE = z.enum(CAUSES);
export const ISSUE_CODE = z.enum(Object.keys(ISSUE_CODES) as IssueCode[]);
export const EXIT = z.enum(EXIT_CODES.map(({ name }) => name));
export const TRIGGER = z.enum(RUN_TRIGGERS);
export const RUN_END = z.enum(RUN_ENDS);
export const UNMATCHED = z.enum(UNMATCHED_CODES);

export function countsOf<Word extends string>(words: readonly Word[]) {
  return z.strictObject(Object.fromEntries(words.map((word) => [word, COUNT])) as Record<Word, typeof COUNT>);
}

export const BY_DISPOSITION = countsOf(DISPOSITIONS);

/** A state of a row as selections name it. */
export const SELECTABLE = z.enum([...STATES, 'invalid']);
