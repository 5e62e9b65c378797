import type { SourceConfig } from '../config/schema.js';
import type { SheetLeft } from '../domain/drop.js';
import { GUIDE_SHEET } from '../domain/files/guided-workbook.js';
import { cellText, isBlankRow, type Row } from '../domain/row.js';
import type { OpenedDrop } from '../intake/opened-drop.js';
import { dataAboveHeader, likelyRecords } from '../normalise/likely-records.js';
import { type FoundHeader, findHeader } from '../normalise/mapping/find-header.js';
import { type Profile, readingDigest } from '../normalise/profile/profile.js';
import type { Operation } from '../operations/operation.js';
import { type CorrectionFile, correctionSheet } from './correction-file.js';
import { noSuchSheet, severalSheets, uncountedSheets } from './counted-sheets.js';
import { type Refused, refused } from './refused.js';
import { type Profiled, profileOf, SAMPLE_ROWS } from './table.js';

/** How one file is going to be read: the sheet, its header with the mapping, and what its columns prove. */
export interface DropPlan {
  readonly kind: 'export';
  /** null for a text file. */
  readonly sheet: string | null;
  readonly header: FoundHeader;
  readonly profile: Profile;
  /** Digest of all that decides how its rows are read: a drop is resumed only under the digest it was begun under. */
  readonly settings: string;
  /**
   * How many rows the file probably has, estimated from its first rows or claimed by its sheet; null where neither helps.
   */
  readonly expectedRows: number | null;
  /**
   * True where its merged cells aren't known yet, because the sheet lists them at its end: a row with content under a
   * merged cell makes the drop `undecided`.
   */
  readonly isSampled: boolean;
  /** Visible sheets that are not read. */
  readonly sheetsLeft: readonly SheetLeft[];
}

/** How an export is going to be read, or why it can't be. */
export type Planned = DropPlan | Refused;

/** How a file is going to be read, or why it can't be. */
export type ReadingPlan = Planned | CorrectionFile;

/**
 * Decides how a file is read for a source, before any of its rows is staged. A file of corrections is only recognised.
 * @param profiled 'sample' profiles the first rows alone where these allow it. The row normaliser returns `undecided` for a
 *   row that needs the profile of the whole file; then plan again with 'whole'.
 */
export async function planDrop(
  opened: OpenedDrop,
  operation: Operation,
  source: SourceConfig,
  profiled: Profiled = 'whole',
): Promise<ReadingPlan> {
  const isSampled = profiled === 'sample';
  let isCovered = false as boolean;
  const onCovered = () => {
    isCovered = true;
  };
  const chosen = await chooseSheet(opened, operation, source, isSampled ? onCovered : undefined);
  if (isCovered) return planDrop(opened, operation, source);
  if (chosen.kind !== 'export') return chosen;
  const { sheet, header, sheetsLeft } = chosen;
  const misplaced = dataAboveHeader(chosen.sample, header, operation, source);
  if (misplaced) return refused(misplaced);
  const table = {
    header,
    sample: chosen.sample,
    countsCells: !opened.workbook,
    rows: () => opened.rows(sheet ?? undefined),
  };
  const profile = await profileOf(table, source, profiled);
  if (profile.issues.length > 0) return refused(...profile.issues);
  return {
    kind: 'export',
    sheet,
    header,
    profile,
    settings: readingDigest(sheet, source, profile),
    expectedRows: expectedRows(opened, chosen),
    isSampled,
    sheetsLeft,
  };
}

/** The first rows of a sheet, preamble and header included. @param onCovered as in `OpenedDrop.rows`. */
export async function sampleRows(
  opened: OpenedDrop,
  sheet?: string,
  count = SAMPLE_ROWS,
  onCovered?: () => void,
): Promise<Row[]> {
  const sample: Row[] = [];
  for await (const batch of opened.rows(sheet, onCovered)) {
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
 * Chooses the sheet that the source names, else the only visible one with a header that maps. Corrections come before
 * both: a workbook with a sheet of corrections is read as corrections alone.
 * @param onCovered as in `OpenedDrop.rows`.
 */
export async function chooseSheet(
  opened: OpenedDrop,
  operation: Operation,
  source: SourceConfig,
  onCovered?: () => void,
): Promise<ChosenSheet | CorrectionFile | Refused> {
  if (!opened.workbook) {
    const sample = await sampleRows(opened);
    const corrections = correctionSheet(sample, null);
    if (corrections) return { kind: 'correction', sheets: [corrections] };
    const found = findHeader(sample, operation, source);
    if (found.kind === 'none') return refused(...found.issues);
    return { kind: 'export', sheet: null, header: found.header, sample, sheetsLeft: [] };
  }
  const { sheets } = opened.workbook;
  const visible = sheets.filter(({ state }) => state === 'visible').map(({ name }) => name);
  const named = sheets.find(({ name }) => name === source.sheet)?.name;
  // Only the sheet that the source names is looked at, except in a workbook of ours. It may be hidden.
  const looked = named === undefined || visible.includes(GUIDE_SHEET) ? visible : [named];
  const samples: SheetSample[] = [];
  for (const sheet of new Set([...looked, ...(named === undefined ? [] : [named])])) {
    samples.push({ sheet, sample: await sampleRows(opened, sheet, SAMPLE_ROWS, onCovered) });
  }
  const corrections = samples.flatMap(({ sheet, sample }) =>
    looked.includes(sheet) ? (correctionSheet(sample, sheet) ?? []) : [],
  );
  if (corrections.length > 0) return { kind: 'correction', sheets: corrections };
  if (source.sheet !== undefined && named === undefined)
    return refused(
      noSuchSheet(
        source.sheet,
        sheets.map(({ name }) => name),
      ),
    );
  const read = readSheet(samples, named, operation, source);
  if (read.kind === 'refused') return read;
  const isEmpty = (name: string) =>
    samples.some(({ sheet, sample }) => sheet === name && sample.every(({ cells }) => isBlankRow(cells)));
  const sheetsLeft = sheets.flatMap(({ name, state, rows }) =>
    state !== 'visible' || name === read.sheet || rows === 0 || isEmpty(name) ? [] : [{ name, rows }],
  );
  return { ...read, sheetsLeft };
}

interface SheetSample {
  readonly sheet: string;
  readonly sample: readonly Row[];
}

/** The sheet that is named, else the only one with a header; refused where another sheet could be read as well. */
function readSheet(
  samples: readonly SheetSample[],
  named: string | undefined,
  operation: Operation,
  source: SourceConfig,
): Omit<ChosenSheet, 'sheetsLeft'> | Refused {
  const looked = samples.flatMap((each) =>
    named === undefined || each.sheet === named
      ? [{ ...each, search: findHeader(each.sample, operation, source) }]
      : [],
  );
  const found = looked.flatMap(({ search, ...each }) =>
    search.kind === 'found' ? [{ ...each, header: search.header }] : [],
  );
  const [only, another] = found;
  if (only && another) return refused(severalSheets(found.map(({ sheet }) => sheet)));
  if (!only) {
    const why = looked.find(({ search }) => search.kind === 'none' && search.issues.length > 0)?.search;
    return refused(...(why?.kind === 'none' ? why.issues : []));
  }
  const isLikely = likelyRecords(operation, source, only.header, only.sample);
  const others = looked.flatMap(({ sheet, sample }) =>
    sheet !== only.sheet && holdsLikely(sample, isLikely) ? [sheet] : [],
  );
  return others.length > 0 ? refused(uncountedSheets(only.sheet, others)) : { kind: 'export', ...only };
}

/** True where at least a quarter of its rows are likely records: titles, notes and totals may stand around them. */
function holdsLikely(sample: readonly Row[], isLikely: (row: Row) => boolean): boolean {
  const rows = sample.filter(({ cells }) => !isBlankRow(cells));
  const likely = rows.filter(isLikely).length;
  return likely > 0 && likely * 4 >= rows.length;
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
