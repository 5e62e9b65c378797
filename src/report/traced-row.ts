import type { SourceConfig } from '../config/schema.js';
import type { FieldValue } from '../domain/record.js';
import { type Cell, cellText, type Disposition, type Row } from '../domain/row.js';
import type { RowIssue } from '../ledger/attention.js';
import { correctedPlaces, firstDropOf } from '../ledger/lineage.js';
import type { Ledger } from '../ledger/query.js';
import { cellsByLine, keptRows } from '../ledger/row-blocks.js';
import { tableRows } from '../ledger/table-rows.js';
import { type Place, type Resolution, rowFate, type TracedDrop, tracedDrop } from '../ledger/traced-rows.js';
import { cellCounts } from '../normalise/cell-counts.js';
import { createRowExplainer, type ExplainedField } from '../normalise/explain-row.js';
import type { FoundHeader } from '../normalise/find-header.js';
import { normaliseHeader } from '../normalise/header-text.js';
import { type HeaderMatch, type MappedColumn, matchHeaders } from '../normalise/match-headers.js';
import { NO_PROFILE, type Profile, profileDrop, profileSample } from '../normalise/profile.js';
import { readingDigest } from '../normalise/reading-digest.js';
import { operationNamed } from '../operations/registry.js';

/** A row of a file with what was made of it. Personal. */
export interface TracedRow {
  readonly drop: TracedDrop;
  readonly line: number;
  readonly disposition: Disposition;
  /** With the header of each column; null: a blank row, or one that was erased. */
  readonly cells: readonly { readonly column: string; readonly value: Cell }[] | null;
  readonly issues: readonly RowIssue[];
  /** How each field came about. */
  readonly fields: readonly ExplainedField[];
  /** Whether `fields` were worked out under the settings that staging had. `unknown`: that would take too long. */
  readonly settings: 'same' | 'changed' | 'unknown';
  /** The submission that it is or repeats; null: none. */
  readonly submissionId: number | null;
  /** What a later decision made of an invalid row; null: nothing. */
  readonly resolution: Resolution | null;
}

/** Looks rows up. What is the same for all rows of a drop is worked out once. */
export type RowTracer = (place: Place, record: RecordFields | null) => Promise<TracedRow | null>;

type RecordFields = Readonly<Record<string, FieldValue>>;

/**
 * The function that gives a row with all that is known of it; null where nothing was read. Its second argument is the
 * record that was made of the row, null where none was: it comes before what the readers would make of the cells today.
 */
export function createRowTracer(ledger: Ledger, sources: readonly SourceConfig[]): RowTracer {
  const readings = new Map<number, DropReading>();
  return async (place, record) => {
    const fate = rowFate(ledger, place);
    const drop = tracedDrop(ledger, place.dropId);
    if (fate === null || drop === undefined) return null;
    const reading = readings.get(drop.dropId) ?? (await readingOf(ledger, drop, sources));
    readings.set(drop.dropId, reading);
    const cells = reading.cellsOf(place.line);
    return {
      drop,
      line: place.line,
      ...fate,
      cells: cells?.map((value, index) => ({ column: drop.header[index] ?? '', value })) ?? null,
      fields:
        cells === null
          ? []
          : asStaged(reading.explain({ line: place.line, cells }), record, reading.settings),
      settings: reading.settings,
    };
  };
}

interface DropReading {
  readonly cellsOf: (line: number) => readonly Cell[] | null;
  readonly explain: (row: Row) => readonly ExplainedField[];
  readonly settings: TracedRow['settings'];
}

/** Rows looked at for the profile that staging begins with. */
const SAMPLE_ROWS = 60;

/** A larger drop isn't gone through as a whole to see whether its settings are still the same: it takes seconds. */
const MOST_ROWS = 50_000;

async function readingOf(
  ledger: Ledger,
  drop: TracedDrop,
  sources: readonly SourceConfig[],
): Promise<DropReading> {
  const cellsOf = cellsByLine(ledger, drop.dropId);
  const source = sources.find(({ name, operation }) => name === drop.source && operation === drop.operation);
  if (!source) return { cellsOf, explain: (row) => byMapping(drop, row), settings: 'changed' };
  const operation = operationNamed(drop.operation);
  const sample = firstRows(ledger, drop.dropId);
  const below = sample.filter(({ line }) => line > drop.headerLine).map(({ cells }) => cells);
  const match = asMapped(matchHeaders(drop.header, operation, source, below), drop);
  const header: FoundHeader = { line: drop.headerLine, columns: drop.header, match };
  const { profile, settings } = await profileOf(ledger, drop, sample, header, source);
  const explain = createRowExplainer(operation, source, header, profile, ledger.clock.nowMs());
  return { cellsOf, explain, settings };
}

async function profileOf(
  ledger: Ledger,
  drop: TracedDrop,
  sample: readonly Row[],
  header: FoundHeader,
  source: SourceConfig,
): Promise<{ profile: Profile; settings: TracedRow['settings'] }> {
  const operation = operationNamed(drop.operation);
  // Behind it stands the digest of the corrections there were.
  const staged = drop.settings?.split(' ')[0];
  const places = correctedPlaces(ledger, drop.dropId);
  if (places.length > 0) {
    const profiles = await profilesOf(ledger, places, source);
    if (profiles === null) return { profile: NO_PROFILE, settings: 'unknown' };
    const isSame = readingDigest(drop.sheet, source, profiles) === staged;
    return { profile: profiles[0]?.[2] ?? NO_PROFILE, settings: isSame ? 'same' : 'changed' };
  }
  const asCounted = (profile: Profile): Profile =>
    drop.format === 'csv' ? { ...profile, cells: cellCounts(sample, header) } : profile;
  const settled = profileSample(sample, header, operation, source);
  const ofSample = settled && asCounted(settled);
  if (ofSample !== null && readingDigest(drop.sheet, source, ofSample) === staged) {
    return { profile: ofSample, settings: 'same' };
  }
  if ((drop.rowsRead ?? 0) > MOST_ROWS) return { profile: ofSample ?? NO_PROFILE, settings: 'unknown' };
  const table = tableRows(ledger, drop);
  const ofTable = { ...header, line: table.headerLine };
  const profile = asCounted(await profileDrop(batches(table.rows()), ofTable, operation, source));
  const isSame = readingDigest(drop.sheet, source, profile) === staged;
  return { profile, settings: isSame ? 'same' : 'changed' };
}

/**
 * What a file of corrected rows is read by, as staging has it: for each drop that its rows are of, and each in which those
 * were first read, what the whole columns of that prove. null: looking would take too long.
 */
async function profilesOf(
  ledger: Ledger,
  places: readonly Place[],
  source: SourceConfig,
): Promise<readonly (readonly [of: number, first: number, Profile])[] | null> {
  const operation = operationNamed(source.operation);
  const firsts = new Map<number, Set<number>>();
  for (const place of places) {
    const known = firsts.get(place.dropId) ?? new Set();
    firsts.set(place.dropId, known.add(firstDropOf(ledger, place)));
  }
  const profiles: [number, number, Profile][] = [];
  let rows = 0;
  for (const [of, ids] of firsts) {
    for (const id of ids) {
      const [original, first] = [tracedDrop(ledger, of), tracedDrop(ledger, id)];
      if (original === undefined || first === undefined) continue;
      rows += first.rowsRead ?? 0;
      if (rows > MOST_ROWS) return null;
      const below = firstRows(ledger, id).filter(({ line }) => line > first.headerLine);
      const match = matchHeaders(
        original.header,
        operation,
        source,
        below.map(({ cells }) => cells),
      );
      const header = { line: first.headerLine, columns: original.header, match };
      profiles.push([of, id, await profileDrop(batches(keptRows(ledger, id)), header, operation, source)]);
    }
  }
  return profiles;
}

function firstRows(ledger: Ledger, dropId: number): Row[] {
  const rows: Row[] = [];
  for (const row of keptRows(ledger, dropId)) {
    if (rows.push(row) === SAMPLE_ROWS) break;
  }
  return rows;
}

async function* batches(rows: Iterable<Row>): AsyncGenerator<readonly Row[]> {
  for (const row of rows) yield [row];
}

/** The columns that staging has read, whatever would be read today. */
function asMapped(match: HeaderMatch, drop: TracedDrop): HeaderMatch {
  const mapped = Object.entries(drop.mapping).map(([field, header]): [string, MappedColumn] => {
    const today = match.mapped[field];
    if (today?.header === header) return [field, today];
    const { zone } = normaliseHeader(header);
    return [field, { index: drop.header.indexOf(header), header, zone, why: 'alias' }];
  });
  return { ...match, mapped: Object.fromEntries(mapped) };
}

/** Without the source's settings nothing is known but which column was read for which field. */
function byMapping(drop: TracedDrop, row: Row): ExplainedField[] {
  return Object.entries(drop.mapping).map(([field, column]) => {
    const cell = row.cells[drop.header.indexOf(column)];
    return { field, column, before: cellText(cell) || null, after: null, rule: 'the source is gone' };
  });
}

/** What staging made of the row, said where the readers would make something else of it today. */
function asStaged(
  explained: readonly ExplainedField[],
  record: RecordFields | null,
  settings: TracedRow['settings'],
): readonly ExplainedField[] {
  if (record === null) return explained;
  return explained.map((field) => {
    const staged = record[field.field];
    if (staged === undefined || staged === field.after) return field;
    if (field.after === null) return { ...field, after: staged };
    const why =
      settings === 'changed' ? `read as ${field.after} by today's settings` : 'then corrected by map';
    return { ...field, after: staged, rule: `${field.rule}, ${why}` };
  });
}
