/** The kinds of file that are read, recognised by content and never by the name. */
export type DropFormat = 'csv' | 'xlsx';

/** What identifies a drop besides its source. */
export interface DropIdentity {
  /** Lower-case hex SHA-256 of the bytes. */
  readonly sha256: string;
  readonly bytes: number;
}

/**
 * The state of a drop: `staging` while its rows are written and don't count, `published` when they count, `refused` when the
 * file as a whole could not be imported (then no row of it counts).
 */
export const DROP_STATES = ['staging', 'published', 'refused'] as const;

export type DropState = (typeof DROP_STATES)[number];

/** A visible sheet of a workbook that is not read. */
export interface SheetLeft {
  readonly name: string;
  /** Highest row number that it claims to have; null: it claims none. */
  readonly rows: number | null;
}

/** What a file says about the zone of its times. */
export interface StatedZone {
  /** The line that says so; null: a column does, with a zone for each row. */
  readonly line: number | null;
  /** The zone in the line's words, or the column's header. */
  readonly text: string;
}

/**
 * The name of a drop that is a part of a file, as `registrar trace` takes it: a further sheet, `export.xlsx#Sheet`, or a file of an
 * archive, `export.zip#march.csv`. Characters that no file name holds are replaced.
 */
export function partFileName(file: string, part: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: those are what is left out.
  return `${file}#${part.replace(/[/\\\0-\x1f]/g, '_')}`;
}
