import type { SourceConfig } from '../config/schema.js';
import { type Refused, refused } from '../domain/issue.js';
import { type ExitName, OperatorError } from '../domain/operator-error.js';
import { collected } from '../domain/process/series.js';
import type { Row } from '../domain/row.js';
import type { DropTable, PublishedDrop } from '../ledger/drops/published-drops.js';
import { keptRows } from '../ledger/drops/rows/kept-rows.js';
import type { Ledger } from '../ledger/store/query.js';
import type { FoundHeader } from '../normalise/mapping/find-header.js';
import { matchHeaders } from '../normalise/mapping/match-headers.js';
import type { Profile } from '../normalise/profile/profile.js';
import { zoneNotesOf } from '../normalise/time/zone/zone-notes.js';
import { operationNamed } from '../operations/registry.js';
import { type ProfileExtent, profileOf, SAMPLE_ROWS, type Table } from './table.js';

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
  drop: KeptTable & Pick<PublishedDrop, 'headerLine'>,
  source: SourceConfig,
  profiled: ProfileExtent = 'whole',
): Promise<KeptReading | Refused> {
  const table = await keptTable(ledger, drop, source);
  const profile = await profileOf(table, source, profiled);
  const problems = [...table.header.match.problems, ...profile.issues];
  if (problems.length > 0) return refused(...problems);
  return { kind: 'kept', sheet: null, header: { ...table.header, line: drop.headerLine }, profile };
}

/** The table of a published drop, as the ledger has kept it. */
export interface KeptTable {
  /** The columns as its file has them. */
  readonly header: readonly string[];
  readonly table: DropTable;
  /** True where a row's number of cells is to be compared with that of the other rows. */
  readonly countsCells: boolean;
}

/** The kept table in a form that can be read again: its header is mapped by the source's settings of today. */
export async function keptTable(
  ledger: Ledger,
  { header: columns, table, countsCells }: KeptTable,
  source: SourceConfig,
): Promise<Table> {
  const sample = await collected(keptRows(ledger, table), SAMPLE_ROWS);
  const below = sample.filter(({ line }) => line > table.headerLine).map(({ cells }) => cells);
  const match = matchHeaders(columns, operationNamed(source.operation), source, below);
  const { above, below: notes } = await notesOf(ledger, table);
  return {
    header: { line: table.headerLine, columns, match, zoneNotes: zoneNotesOf(above) },
    zoneNotes: zoneNotesOf(notes),
    sample,
    countsCells,
    async *rows() {
      for await (const row of keptRows(ledger, table)) yield [row];
    },
  };
}

/** Titles and notes above and below the header; of several sheets, those of all. */
async function notesOf(ledger: Ledger, { headerLine, sheets }: DropTable) {
  const above: Row[] = [];
  const below: Row[] = [];
  for (const { dropId, afterLine } of sheets) {
    const header = afterLine || headerLine;
    for await (const row of keptRows(ledger, dropId, 'notes')) {
      if (row.line !== header) (row.line < header ? above : below).push(row);
    }
  }
  return { above, below };
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
