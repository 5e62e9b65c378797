import type { SourceConfig } from '../config/schema.js';
import { collected } from '../domain/process/in-turn.js';
import { keptRows } from '../ledger/drops/rows/kept-rows.js';
import type { Ledger } from '../ledger/store/query.js';
import { preambleFacts } from '../normalise/mapping/header-aliases.js';
import { matchHeaders } from '../normalise/mapping/match-headers.js';
import { zoneNoteOf } from '../normalise/time/zone/zone-notes.js';
import { operationNamed } from '../operations/registry.js';
import { SAMPLE_ROWS, type Table } from './table.js';

/** The table of a published drop, as the ledger has kept it. */
export interface KeptTable {
  readonly dropId: number;
  readonly headerLine: number;
  /** The columns as its file has them. */
  readonly header: readonly string[];
  /** True where a row's number of cells is to be compared with that of the other rows. */
  readonly countsCells: boolean;
}

/** The kept table in a form that can be read again: its header is mapped by the source's settings of today. */
export async function keptTable(
  ledger: Ledger,
  { dropId, headerLine, header: columns, countsCells }: KeptTable,
  source: SourceConfig,
): Promise<Table> {
  const sample = await collected(keptRows(ledger, dropId), SAMPLE_ROWS);
  const below = sample.filter(({ line }) => line > headerLine).map(({ cells }) => cells);
  const match = matchHeaders(columns, operationNamed(source.operation), source, below);
  const notes = await collected(keptRows(ledger, dropId, 'notes'), MAX_NOTES);
  const preamble = preambleFacts(notes.filter(({ line }) => line < headerLine));
  return {
    header: { line: headerLine, columns, match, preamble },
    zoneNotes: notes.flatMap((row) => (row.line > headerLine ? (zoneNoteOf(row) ?? []) : [])),
    sample,
    countsCells,
    async *rows() {
      for await (const row of keptRows(ledger, dropId)) yield [row];
    },
  };
}

/** As many as the ledger gives. */
const MAX_NOTES = 1_000;
