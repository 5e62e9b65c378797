import { cells, document, tables } from './markdown.js';

/** The packages of the program, by the table of docs/design.md; all but one are bundled, so package.json doesn't show which these are. */
export const PROGRAM_PACKAGES: readonly string[] = cells(
  tables(document('docs/design.md'), 'Dependencies')[0] ?? '',
).flatMap(([name]) => name ?? []);
