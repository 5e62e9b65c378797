import type { SourceConfig } from '../config/schema.js';
import type { SheetLeft } from '../domain/drop.js';
import { TASKS_SHEET } from '../domain/files/correction-workbook.js';
import { type Issue, type Refused, refused } from '../domain/issue.js';
import { cellText, isBlankRow, type Row } from '../domain/row.js';
import type { OpenedDrop } from '../intake/opened-drop.js';
import { dataAboveHeader, likelyRecords } from '../normalise/likely-records.js';
import { type FoundHeader, findHeader } from '../normalise/mapping/find-header.js';
import { type Profile, readingDigest } from '../normalise/profile/profile.js';
import { type ZoneNote, zoneNotesOf } from '../normalise/time/zone/zone-notes.js';
import { issueFor } from '../normalise/values/reading.js';
import type { Operation } from '../operations/operation.js';
import { operationNamed } from '../operations/registry.js';
import { type CorrectionFile, correctionSheet } from './correction-file.js';
import { countedSheets, severalSheets, uncountedSheets } from './counted-sheets.js';
import { type ProfileExtent, profileOf, SAMPLE_ROWS, type Table, wholeProfile } from './table.js';

/** How one file is read: the sheet, its header with the mapping, and what its columns prove. */
export interface DropPlan {
  readonly kind: 'export';
  readonly sheet: string | null;
  readonly header: FoundHeader;
  readonly profile: Profile;
  /** Digest of all that decides how its rows are read: a drop is resumed only under the digest it was begun under. */
  readonly settings: string;
  /** How many rows the file probably has, estimated from its first rows or claimed by its sheet; null where neither helps. */
  readonly expectedRows: number | null;
  /** How each sheet that continues the table is read, in the workbook's order. */
  readonly further: readonly DropPlan[];
  readonly sheetsLeft: readonly SheetLeft[];
}

/** How an export is read, or why it can't be. */
export type PlanResult = DropPlan | Refused;

/** How a file is read, or why it can't be. */
export type ReadingPlan = PlanResult | CorrectionFile;

/**
 * Decides how a file is read for a source, before any of its rows is staged. A file of corrections is only recognised.
 * @param profiled 'sample' profiles the first rows alone where these allow it; where a row is `undecided`, plan again with 'whole'.
 */
export async function planDrop(
  opened: OpenedDrop,
  source: SourceConfig,
  profiled: ProfileExtent = 'whole',
): Promise<ReadingPlan> {
  const chosen = await chooseSheet(opened, source);
  if (chosen.kind !== 'export') return chosen;
  const { sheet, header, sheetsLeft } = chosen;
  const misplaced = dataAboveHeader(chosen.sample, {
    operation: operationNamed(source.operation),
    source,
    header,
  });
  if (misplaced) return refused(misplaced);
  // A file that is several drops is read to its end before any of them counts.
  if (profiled === 'sample' && chosen.further.length > 0) return planDrop(opened, source);
  const profile =
    chosen.further.length > 0
      ? await profileOfSeveral(opened, chosen, source)
      : await profileOf(tableOf(opened, chosen), source, profiled);
  if (profile.issues.length > 0) return refused(...profile.issues);
  const plan = { kind: 'export', profile } as const;
  const further = chosen.further.map(({ sheet: name, headerLine: line, zoneNotes }) => ({
    ...plan,
    sheet: name,
    header: { ...header, line, zoneNotes: [...(header.zoneNotes ?? []), ...zoneNotes] },
    settings: readingDigest(name, source, profile),
    expectedRows: claimedRows(opened, name),
    further: [],
    sheetsLeft: [],
  }));
  return {
    ...plan,
    sheet,
    header,
    settings: readingDigest(sheet, source, profile),
    expectedRows: expectedRows(opened, chosen),
    further,
    sheetsLeft,
  };
}

/** The table of a text, or of a sheet that is read alone. */
function tableOf(opened: OpenedDrop, { sheet, header, sample }: ChosenSheet): Table {
  return { header, sample, countsCells: !opened.workbook, rows: () => opened.rows(sheet ?? undefined) };
}

/** The profile of several sheets. All are read to their end, so that none turns out to be damaged once others count. */
async function profileOfSeveral(
  opened: OpenedDrop,
  chosen: ChosenSheet,
  source: SourceConfig,
): Promise<Profile> {
  const { sheet, header, further } = chosen;
  const sheets = [{ sheet: sheet ?? '', headerLine: header.line, zoneNotes: [] }, ...further];
  const rows = () => dataRows(opened, sheets);
  const table = { ...tableOf(opened, chosen), header: { ...header, line: 0 }, rows };
  const profile = await wholeProfile(table, source);
  const names = sheets.map((each) => `"${each.sheet}"`).join(', ');
  const ofAll = (issue: Issue) => ({
    ...issue,
    message: `on the sheets ${names} together, ${issue.message}`,
  });
  return { ...profile, issues: profile.issues.map(ofAll) };
}

/** The rows below the headers of sheets, one after the other. */
async function* dataRows(
  opened: OpenedDrop,
  sheets: readonly ContinuedSheet[],
): AsyncGenerator<readonly Row[]> {
  for (const { sheet, headerLine } of sheets) {
    for await (const batch of opened.rows(sheet)) yield batch.filter(({ line }) => line > headerLine);
  }
}

/** The first rows of a sheet, preamble and header included. */
export async function sampleRows(opened: OpenedDrop, sheet?: string, count = SAMPLE_ROWS): Promise<Row[]> {
  const sample: Row[] = [];
  for await (const batch of opened.rows(sheet)) {
    sample.push(...batch.slice(0, count - sample.length));
    if (sample.length >= count) break;
  }
  return sample;
}

/** The sheet to be read, null for a text file; its header, and its first rows. */
interface ChosenSheet {
  readonly kind: 'export';
  readonly sheet: string | null;
  readonly header: FoundHeader;
  readonly sample: readonly Row[];
  readonly further: readonly ContinuedSheet[];
  readonly sheetsLeft: readonly SheetLeft[];
}

interface ContinuedSheet {
  readonly sheet: string;
  /** The line in which it repeats the header; 0 where its first row is already data. */
  readonly headerLine: number;
  /** What the lines above say about the zone of times. */
  readonly zoneNotes: readonly ZoneNote[];
}

/**
 * Chooses the sheets that the source names, else the only visible sheet with a header that maps. Corrections come before
 * both: a workbook with a sheet of corrections is read as corrections alone.
 */
export async function chooseSheet(
  opened: OpenedDrop,
  source: SourceConfig,
): Promise<ChosenSheet | CorrectionFile | Refused> {
  const operation = operationNamed(source.operation);
  if (!opened.workbook) {
    const sample = await sampleRows(opened);
    const corrections = correctionSheet(sample, null);
    if (corrections) return { kind: 'correction', sheets: [corrections] };
    const search = findHeader(sample, operation, source);
    if (search.kind === 'refused') return search;
    return { kind: 'export', sheet: null, header: search.header, sample, further: [], sheetsLeft: [] };
  }
  const { sheets } = opened.workbook;
  const visible = sheets.filter(({ state }) => state === 'visible').map(({ name }) => name);
  const counted = countedSheets(sheets, source);
  const named = counted !== null && 'kind' in counted ? null : counted;
  // Only the sheets that the source names are read, except in a workbook that Registrar wrote.
  const candidates = named !== null && !visible.includes(TASKS_SHEET) ? named : visible;
  const samples: SheetSample[] = [];
  for (const sheet of new Set([...candidates, ...(named ?? [])])) {
    samples.push({ sheet, sample: await sampleRows(opened, sheet) });
  }
  // Throws where the workbook has no visible sheet.
  if (samples.length === 0 && counted === null) await sampleRows(opened);
  const corrections = samples.flatMap(({ sheet, sample }) =>
    candidates.includes(sheet) ? (correctionSheet(sample, sheet) ?? []) : [],
  );
  if (corrections.length > 0) return { kind: 'correction', sheets: corrections };
  if (counted !== null && 'kind' in counted) return counted;
  const counting = samples.filter(({ sheet }) => named?.includes(sheet) ?? true);
  const read = (named === null ? readUnnamed : readNamed)(counting, operation, source);
  if (read.kind === 'refused') return read;
  const readSheets = new Set([read.sheet, ...read.further.map(({ sheet }) => sheet)]);
  const isEmpty = (name: string) =>
    samples.some(({ sheet, sample }) => sheet === name && !hasContent(sample));
  const sheetsLeft = sheets.flatMap(({ name, state, rows }) =>
    state !== 'visible' || readSheets.has(name) || rows === 0 || isEmpty(name) ? [] : [{ name, rows }],
  );
  return { ...read, sheetsLeft };
}

interface SheetSample {
  readonly sheet: string;
  readonly sample: readonly Row[];
}

type Read = Pick<ChosenSheet, 'kind' | 'header' | 'sample' | 'further'> & { readonly sheet: string };

/** The only visible sheet with a header; refused where another sheet could be read as well. */
function readUnnamed(
  samples: readonly SheetSample[],
  operation: Operation,
  source: SourceConfig,
): Read | Refused {
  const searched = samples.map((each) => ({ ...each, search: findHeader(each.sample, operation, source) }));
  const withHeader = searched.flatMap(({ search, ...each }) =>
    search.kind === 'found' ? [{ ...each, header: search.header }] : [],
  );
  const [only, another] = withHeader;
  if (only && another) return refused(severalSheets(withHeader.map(({ sheet }) => sheet)));
  if (!only) {
    const why = searched.find(({ sample }) => hasContent(sample)) ?? searched[0];
    return why?.search.kind === 'refused' ? why.search : refused();
  }
  const isLikely = likelyRecords({ operation, source, header: only.header }, only.sample);
  const others = samples.flatMap(({ sheet, sample }) =>
    sheet !== only.sheet && holdsLikely(sample, isLikely) ? [sheet] : [],
  );
  if (others.length > 0) return refused(uncountedSheets(only.sheet, others));
  return { kind: 'export', ...only, further: [] };
}

/** The sheets that the source names, without the empty ones: the first has the header, the others continue the table. */
function readNamed(
  samples: readonly SheetSample[],
  operation: Operation,
  source: SourceConfig,
): Read | Refused {
  const [first, ...others] = samples.filter(({ sample }, _, all) => all.length === 1 || hasContent(sample));
  const search = findHeader(first?.sample ?? [], operation, source);
  if (search.kind === 'refused') return search;
  if (!first) throw new Error('a header among no rows');
  const { header } = search;
  const isLikely = likelyRecords({ operation, source, header }, first.sample);
  const problems: Issue[] = [];
  const further = others.map(({ sheet, sample }): ContinuedSheet => {
    const again = sample.findIndex((row) => repeatsHeader(row, header));
    const above = sample.slice(0, again);
    if (again >= 0 && !above.some(isLikely)) {
      return { sheet, headerLine: sample[again]?.line ?? 0, zoneNotes: zoneNotesOf(above) };
    }
    const own = again >= 0 ? null : findHeader(sample, operation, source);
    if (own?.kind === 'found') {
      const parts = { first: first.sheet, sheet, line: own.header.line };
      problems.push(issueFor('other-header', null, parts, sheet));
    }
    return { sheet, headerLine: 0, zoneNotes: [] };
  });
  return problems.length > 0 ? refused(...problems) : { kind: 'export', ...first, header, further };
}

function repeatsHeader({ cells }: Row, header: FoundHeader): boolean {
  return Object.values(header.match.mapped).every(
    ({ index, header: text }) => cellText(cells[index]).trim() === text.trim(),
  );
}

/** True where at least a quarter of its rows are likely records: titles, notes and totals may surround them. */
function holdsLikely(sample: readonly Row[], isLikely: (row: Row) => boolean): boolean {
  const rows = sample.filter(({ cells }) => !isBlankRow(cells));
  const likely = rows.filter(isLikely).length;
  return likely > 0 && likely * 4 >= rows.length;
}

function hasContent(sample: readonly Row[]): boolean {
  return sample.some(({ cells }) => !isBlankRow(cells));
}

function expectedRows(opened: OpenedDrop, { sheet, sample }: ChosenSheet): number | null {
  if (sheet !== null) return claimedRows(opened, sheet);
  const chars = sample
    .flatMap(({ cells }) => cells)
    .reduce<number>((sum, cell) => sum + cellText(cell).length + 1, 0);
  return chars === 0 ? null : Math.round((opened.identity.bytes / chars) * sample.length);
}

function claimedRows({ workbook }: OpenedDrop, sheet: string): number | null {
  return workbook?.sheets.find(({ name }) => name === sheet)?.rows ?? null;
}
