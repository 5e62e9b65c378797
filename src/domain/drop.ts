/** Recognised by content, never by the name. */
export type DropFormat = 'csv' | 'xlsx';

export interface DropIdentity {
  /** Lower-case hex SHA-256 of the bytes. */
  readonly sha256: string;
  readonly bytes: number;
}

/** `staging`: its rows are written and don't count. `refused`: the file as a whole; no row of it counts. */
export const DROP_STATES = ['staging', 'published', 'refused'] as const;

export type DropState = (typeof DROP_STATES)[number];

export interface SheetLeft {
  readonly name: string;
  /** Highest row number that it claims to have; null: it claims none. */
  readonly rows: number | null;
}

export interface StatedZone {
  /** The line that names the zone; null: a column has a zone for each row. */
  readonly line: number | null;
  /** The zone in the line's words, or the column's header. */
  readonly text: string;
}

/** The name of a part of a file, as `registrar trace` takes it: `export.xlsx#Sheet`, `export.zip#march.csv`. */
export function partFileName(file: string, part: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: those are what is left out.
  return `${file}#${part.replace(/[/\\\0-\x1f]/g, '_')}`;
}
