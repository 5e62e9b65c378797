import type { SourceConfig } from '../config/schema.js';
import type { SheetLeft } from '../domain/drop.js';
import { GUIDE_SHEET } from '../domain/files/guided-workbook.js';
import { type Issue, issueOf, type Refused, refused } from '../domain/issue.js';
import { cellText, isBlankRow, type Row } from '../domain/row.js';
import { agreeing } from '../domain/text/count-of.js';
import type { OpenedDrop, SheetFacts } from '../intake/opened-drop.js';
import { dataAboveHeader, likelyRecords } from '../normalise/likely-records.js';
import { type FoundHeader, findHeader } from '../normalise/mapping/find-header.js';
import { type Profile, readingDigest } from '../normalise/profile/profile.js';
import type { Operation } from '../operations/operation.js';
import { operationNamed } from '../operations/registry.js';
import { type CorrectionFile, correctionSheet } from './correction-file.js';
import { type Profiled, profileOf, SAMPLE_ROWS } from './table.js';

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
  /** Visible sheets that are not read. */
  readonly sheetsLeft: readonly SheetLeft[];
}

/** How an export is read, or why it can't be. */
export type Planned = DropPlan | Refused;

/** How a file is read, or why it can't be. */
export type ReadingPlan = Planned | CorrectionFile;

/**
 * Decides how a file is read for a source, before any of its rows is staged. A file of corrections is only recognised.
 * @param profiled 'sample' profiles the first rows alone where these allow it; where a row is `undecided`, plan again with 'whole'.
 */
export async function planDrop(
  opened: OpenedDrop,
  source: SourceConfig,
  profiled: Profiled = 'whole',
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
  // A sheet leaves out blank cells at the end of a row.
  const countsCells = !opened.workbook;
  const rows = () => opened.rows(sheet ?? undefined);
  const profile = await profileOf({ header, sample: chosen.sample, countsCells, rows }, source, profiled);
  if (profile.issues.length > 0) return refused(...profile.issues);
  return {
    kind: 'export',
    profile,
    sheet,
    header,
    settings: readingDigest(sheet, source, profile),
    expectedRows: expectedRows(opened, chosen),
    sheetsLeft,
  };
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
  readonly sheetsLeft: readonly SheetLeft[];
}

/**
 * Chooses the sheet that the source names, hidden or not, else the only visible sheet with a header that maps. Corrections come
 * before both: a workbook with a sheet of corrections is read as corrections alone.
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
    return { kind: 'export', sheet: null, header: search.header, sample, sheetsLeft: [] };
  }
  const { sheets } = opened.workbook;
  const visible = sheets.filter(({ state }) => state === 'visible').map(({ name }) => name);
  const isNamed = (name: string) => name === source.sheet;
  const named = sheets.map(({ name }) => name).filter(isNamed);
  // Only the sheet that the source names is read, except in a workbook that Registrar wrote.
  const isAlone = named.length > 0 && !visible.includes(GUIDE_SHEET);
  const samples: SheetSample[] = [];
  for (const sheet of isAlone ? named : new Set([...visible, ...named])) {
    samples.push({ sheet, sample: await sampleRows(opened, sheet) });
  }
  const corrections = samples.flatMap(({ sheet, sample }) => correctionSheet(sample, sheet) ?? []);
  if (corrections.length > 0) return { kind: 'correction', sheets: corrections };
  if (source.sheet !== undefined && named.length === 0) return refused(noSuchSheet(source.sheet, sheets));
  const counting = samples.filter(({ sheet }) => source.sheet === undefined || isNamed(sheet));
  const read = onlySheet(counting, operation, source);
  if (read.kind === 'refused') return read;
  const isEmpty = (name: string) =>
    samples.some(({ sheet, sample }) => sheet === name && !hasContent(sample));
  const sheetsLeft = sheets.flatMap(({ name, state, rows }) =>
    state !== 'visible' || name === read.sheet || rows === 0 || isEmpty(name) ? [] : [{ name, rows }],
  );
  return { ...read, sheetsLeft };
}

interface SheetSample {
  readonly sheet: string;
  readonly sample: readonly Row[];
}

/** The only sheet with a header; refused where another one could be read as well. */
function onlySheet(
  samples: readonly SheetSample[],
  operation: Operation,
  source: SourceConfig,
): Omit<ChosenSheet, 'sheetsLeft'> | Refused {
  const looked = samples.map((each) => ({ ...each, search: findHeader(each.sample, operation, source) }));
  const withHeader = looked.flatMap(({ search, ...each }) =>
    search.kind === 'found' ? [{ ...each, header: search.header }] : [],
  );
  const [only, another] = withHeader;
  if (only && another) return refused(severalSheets(withHeader.map(({ sheet }) => sheet)));
  if (!only) {
    const why = looked.find(({ sample }) => hasContent(sample)) ?? looked[0];
    return why?.search.kind === 'refused' ? why.search : refused();
  }
  const isLikely = likelyRecords({ operation, source, header: only.header }, only.sample);
  const others = samples.flatMap(({ sheet, sample }) =>
    sheet !== only.sheet && holdsLikely(sample, isLikely) ? [sheet] : [],
  );
  if (others.length > 0) return refused(uncountedSheets(only.sheet, others));
  return { kind: 'export', ...only };
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
  if (sheet !== null) return opened.workbook?.sheets.find(({ name }) => name === sheet)?.rows ?? null;
  const chars = sample
    .flatMap(({ cells }) => cells)
    .reduce<number>((sum, cell) => sum + cellText(cell).length + 1, 0);
  return chars === 0 ? null : Math.round((opened.identity.bytes / chars) * sample.length);
}

function severalSheets(names: readonly string[]): Issue {
  return issueOf(
    'sheet-ambiguous',
    null,
    `${names.length} sheets have a header that maps: ${quoted(names)}.`,
    `Say which one is read: ${sheetSetting(names[0])}. Drop the rows of the others as a separate file.`,
    names.join(', '),
  );
}

function uncountedSheets(read: string, others: readonly string[]): Issue {
  return issueOf(
    'sheet-uncounted',
    null,
    `${agreeing(others.length, 'The sheet', 'The sheets')} ${quoted(others)} ${agreeing(others.length, 'has', 'have')} no header that maps, and rows that could be records: they may go on with those of "${read}".`,
    `If they count, put them below those of "${read}" on its sheet, or have the data exported as CSV; if not, write ${sheetSetting(read)}.`,
    others.join(', '),
  );
}

function noSuchSheet(sheet: string, sheets: readonly SheetFacts[]): Issue {
  return issueOf(
    'header-missing',
    null,
    `The workbook has no sheet "${sheet}"; it has ${quoted(sheets.map(({ name }) => name))}.`,
    'Correct sheet of the source in registrar.yaml.',
    sheet,
  );
}

function sheetSetting(name: string | undefined): string {
  return `sheet: ${JSON.stringify(name)} for the source in registrar.yaml`;
}

function quoted(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(', ');
}
