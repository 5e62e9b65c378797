import type { SourceConfig } from '../../config/schema.js';
import type { ExplainedField, TraceDocument } from '../../documents/trace.js';
import type { FieldValue } from '../../domain/record.js';
import { type Cell, cellText, type Row } from '../../domain/row.js';
import type { PublishedDrop, TracedDrop } from '../../ledger/drops/published-drops.js';
import type { Ledger } from '../../ledger/store/query.js';
import type { RowWithResult } from '../../ledger/trace/read-trace.js';
import { normaliseHeader } from '../../normalise/header/header-text.js';
import type { MappedColumn } from '../../normalise/mapping/map-field.js';
import type { HeaderMatch } from '../../normalise/mapping/match-headers.js';
import { NO_PROFILE, type Profile, readingDigest } from '../../normalise/profile/profile.js';
import { operationNamed } from '../../operations/registry.js';
import { keptTable } from '../../reading/read-again.js';
import { sampleProfile, type Table, wholeProfile } from '../../reading/table.js';
import { createRowExplainer } from './explain-row.js';

/** A row of a file with what was made of it. Personal. */
export interface TracedRow extends Omit<TraceDocument['rows'][number], 'cells'> {
  readonly cells: readonly { readonly column: string; readonly value: Cell }[] | null;
}

type RecordFields = Readonly<Record<string, FieldValue>>;

/** Returns a function that gives all of a row of these drops. `record`: what was made of it, which counts; null: nothing. */
export function createRowTracer(
  ledger: Ledger,
  sources: readonly SourceConfig[],
  drops: readonly PublishedDrop[],
) {
  const byId = new Map(drops.map((drop) => [drop.dropId, drop]));
  const readings = new Map<number, DropReading>();
  return async (
    { dropId, line, cells, resolution, ...result }: RowWithResult,
    record: RecordFields | null,
    isExplained: boolean,
  ): Promise<TracedRow> => {
    const drop = byId.get(dropId);
    if (drop === undefined) throw new Error(`drop ${dropId} is not in the trace`);
    if (isExplained && !readings.has(dropId)) readings.set(dropId, await readingOf(ledger, drop, sources));
    const reading = isExplained ? readings.get(dropId) : undefined;
    const settings = reading?.settings ?? 'unknown';
    const { file, source, sheet, sha256, runId: run, importedAt } = drop;
    return {
      drop: dropId,
      file,
      source,
      sheet,
      sha256,
      run,
      importedAt,
      line,
      ...result,
      resolvedBy: resolution?.submission ?? null,
      resolvedIn: resolution?.decision ?? null,
      cells: cells?.map((value, index) => ({ column: drop.header[index] ?? '', value })) ?? null,
      fields:
        cells === null || reading === undefined
          ? []
          : asStaged(reading.explain({ line, cells }), record, settings),
      settings,
    };
  };
}

interface DropReading {
  readonly explain: (row: Row) => readonly ExplainedField[];
  readonly settings: TracedRow['settings'];
}

/** The most rows of a drop that are all read to see whether its settings are still the same: that takes seconds. */
const MAX_ROWS = 50_000;

async function readingOf(
  ledger: Ledger,
  drop: PublishedDrop,
  sources: readonly SourceConfig[],
): Promise<DropReading> {
  const source = sources.find(({ name, operation }) => name === drop.source && operation === drop.operation);
  if (!source) return { explain: (row) => byMapping(drop, row), settings: 'changed' };
  const tabled = { ...drop, countsCells: drop.format === 'csv' };
  const table = await keptTable(ledger, tabled, source);
  const match = asMapped(table.header.match, drop);
  const asStaged = { ...table, header: { ...table.header, match } };
  const { profile, settings } = await profileOf(drop, asStaged, source);
  const header = { ...asStaged.header, line: drop.headerLine };
  const operation = operationNamed(drop.operation);
  const explain = createRowExplainer(operation, source, header, profile, ledger.clock.nowMs());
  return { explain, settings };
}

async function profileOf(
  drop: PublishedDrop,
  table: Table,
  source: SourceConfig,
): Promise<{ profile: Profile; settings: TracedRow['settings'] }> {
  // The digest of the learners' corrections follows it.
  const staged = drop.settings?.split(' ')[0];
  const settingsBy = (read: Parameters<typeof readingDigest>[2]) =>
    readingDigest(drop.sheet, source, read) === staged ? 'same' : 'changed';
  const ofSample = sampleProfile(table, source);
  if (ofSample !== null && settingsBy(ofSample) === 'same') return { profile: ofSample, settings: 'same' };
  if ((drop.rowsRead ?? 0) > MAX_ROWS) return { profile: ofSample ?? NO_PROFILE, settings: 'unknown' };
  const profile = await wholeProfile(table, source);
  return { profile, settings: settingsBy(profile) };
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

/** Without the source's settings only the column of each field is known. */
function byMapping(drop: TracedDrop, row: Row): ExplainedField[] {
  return Object.entries(drop.mapping).map(([field, column]) => {
    const cell = row.cells[drop.header.indexOf(column)];
    return { field, column, before: cellText(cell) || null, after: null, rule: 'the source is gone' };
  });
}

/** The fields as staging read them, with a remark where the readers would read a field otherwise today. */
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
