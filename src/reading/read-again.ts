import type { SourceConfig } from '../config/schema.js';
import { type Refused, refused } from '../domain/issue.js';
import { type ExitName, OperatorError } from '../domain/operator-error.js';
import { collected } from '../domain/process/series.js';
import { keptRows } from '../ledger/drops/rows/kept-rows.js';
import type { Ledger } from '../ledger/store/query.js';
import type { FoundHeader } from '../normalise/mapping/find-header.js';
import { matchHeaders } from '../normalise/mapping/match-headers.js';
import type { Profile } from '../normalise/profile/profile.js';
import { zoneNotesOf } from '../normalise/time/zone/zone-notes.js';
import { operationNamed } from '../operations/registry.js';
import { type Profiled, profileOf, SAMPLE_ROWS, type Table } from './table.js';

/** How the rows of a published drop are read under today's settings. */
export interface KeptReading {
  readonly kind: 'kept';
  /** Always null: kept rows come without a file. */
  readonly sheet: null;
  readonly header: FoundHeader;
  readonly profile: Profile;
}

/**
 * Decides how rows of a published drop are read under today's settings: by the source's mapping of the header, and by what its
 * whole columns prove as they were read.
 * @param profiled 'sample' profiles the first rows alone where these allow it. Preparing a row that needs the profile of
 *   the whole drop throws `UndecidedRow`; then read again with 'whole'.
 */
export async function readAgain(
  ledger: Ledger,
  drop: KeptTable,
  source: SourceConfig,
  profiled: Profiled = 'whole',
): Promise<KeptReading | Refused> {
  const table = await keptTable(ledger, drop, source);
  const profile = await profileOf(table, source, profiled);
  const problems = [...table.header.match.problems, ...profile.issues];
  if (problems.length > 0) return refused(...problems);
  return { kind: 'kept', sheet: null, header: table.header, profile };
}

/** The table of a published drop, as the ledger has kept it. */
export interface KeptTable {
  /** The columns as its file has them. */
  readonly header: readonly string[];
  readonly dropId: number;
  /** Rows up to this line are the header and the rows above it. */
  readonly headerLine: number;
  /** True where a row's number of cells is to be compared with that of the other rows. */
  readonly countsCells: boolean;
}

/** The kept table in a form that can be read again: its header is mapped by the source's settings of today. */
async function keptTable(
  ledger: Ledger,
  { dropId, header: columns, headerLine, countsCells }: KeptTable,
  source: SourceConfig,
): Promise<Table> {
  const sample = await collected(keptRows(ledger, dropId), SAMPLE_ROWS);
  const below = sample.filter(({ line }) => line > headerLine).map(({ cells }) => cells);
  const match = matchHeaders(columns, operationNamed(source.operation), source, below);
  const notes = (await collected(keptRows(ledger, dropId, 'notes'))).filter(
    ({ line }) => line !== headerLine,
  );
  const above = zoneNotesOf(notes.filter(({ line }) => line < headerLine));
  return {
    header: { line: headerLine, columns, match, zoneNotes: above },
    zoneNotes: zoneNotesOf(notes.filter(({ line }) => line > headerLine)),
    sample,
    countsCells,
    async *rows() {
      for await (const row of keptRows(ledger, dropId)) yield [row];
    },
  };
}

/** The error for rows that can't be read again. @param operation what for. */
export function notReadAgain(
  { issues }: Refused,
  { operation, subject }: { readonly operation: string; readonly subject: string },
  exit?: ExitName,
): OperatorError {
  const message = issues.map((one) => one.message).join('; ');
  const hint = issues.map(({ remedy }) => remedy).join(' ');
  return new OperatorError({ operation, subject, message, hint, ...(exit === undefined ? {} : { exit }) });
}
