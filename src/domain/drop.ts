/** The kinds of file that are read, told apart by content and never by the name. */
export type DropFormat = 'csv' | 'xlsx';

/** What identifies a drop besides its source. */
export interface DropIdentity {
  /** Lower-case hex SHA-256 of the bytes. */
  readonly sha256: string;
  readonly bytes: number;
}

/**
 * Where a drop is: `staging` while its rows are written and nobody counts them, `published` when they count,
 * `refused` when the file as a whole could not be taken in (nothing of it counts).
 */
export const DROP_STATES = ['staging', 'published', 'refused'] as const;

export type DropState = (typeof DROP_STATES)[number];
