import type { SourceConfig } from '../config/schema.js';
import { GUIDE_SHEET } from '../domain/guided-workbook.js';
import type { Issue } from '../domain/issue.js';
import { cellText, type Row } from '../domain/row.js';
import type { OpenedDrop } from '../intake/opened-drop.js';
import { type FoundHeader, findHeader } from '../normalise/find-header.js';
import { type Profile, profileDrop, profileSample } from '../normalise/profile.js';
import { readingDigest } from '../normalise/reading-digest.js';
import type { Operation } from '../operations/operation.js';
import { type CorrectionFile, correctionSheet } from './correction-file.js';

/** How one file is going to be read: the sheet, its header with the mapping, and what its columns prove. */
export interface DropPlan {
  /** null for a text file. */
  readonly sheet: string | null;
  readonly header: FoundHeader;
  readonly profile: Profile;
  /** Digest of what decides how its rows are read: a resumed drop must have been begun under the same. */
  readonly settings: string;
  /** How many rows the file probably has, by what its first rows come to or its sheet claims; null: nothing tells. */
  readonly expectedRows: number | null;
}

/** Rows looked at to find the header: 30 lines of preamble and some data below. */
const SAMPLE_ROWS = 60;

/** A plan, or the issues that say why there is none. */
export type Planned = DropPlan | readonly Issue[];

/**
 * Decides how a file is read for a source, before any of its rows is staged. For corrections `planRedrop` does.
 * @param profiled 'sample' spares reading the whole file for its profile where the first rows don't ask for it. A row
 *   that does comes out of the row normaliser as `undecided`; then plan again with 'whole'.
 */
export async function planDrop(
  opened: OpenedDrop,
  operation: Operation,
  source: SourceConfig,
  profiled: 'sample' | 'whole' = 'whole',
): Promise<Planned | CorrectionFile> {
  const chosen = await chooseSheet(opened, operation, source);
  if (!('header' in chosen)) return chosen;
  const { sheet, header } = chosen;
  const sample = profiled === 'sample' ? profileSample(chosen.sample, header, operation, source) : null;
  const profile = sample ?? (await profileDrop(opened.rows(sheet ?? undefined), header, operation, source));
  if (profile.issues.length > 0) return profile.issues;
  const settings = readingDigest(sheet, source, profile);
  return { sheet, header, profile, settings, expectedRows: expectedRows(opened, chosen) };
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
  readonly sheet: string | null;
  readonly header: FoundHeader;
  readonly sample: readonly Row[];
}

/**
 * The sheet the source names, else the only visible one with a header that maps. Corrections come before both: a
 * workbook that has a sheet of them is nothing else.
 */
export async function chooseSheet(
  opened: OpenedDrop,
  operation: Operation,
  source: SourceConfig,
): Promise<ChosenSheet | CorrectionFile | readonly Issue[]> {
  if (!opened.workbook) {
    const sample = await sampleRows(opened);
    const corrections = correctionSheet(sample, null);
    if (corrections) return { kind: 'correction', sheets: [corrections] };
    const header = findHeader(sample, operation, source);
    return isHeader(header) ? { sheet: null, header, sample } : header;
  }
  const { sheets } = opened.workbook;
  const visible = sheets.filter(({ state }) => state === 'visible').map(({ name }) => name);
  const isThere = sheets.some(({ name }) => name === source.sheet);
  // A sheet that the source names is looked at alone, but for a workbook of ours.
  const isNamed = source.sheet !== undefined && isThere && !visible.includes(GUIDE_SHEET);
  const samples = new Map<string, readonly Row[]>();
  for (const sheet of isNamed && source.sheet ? [source.sheet] : visible) {
    samples.set(sheet, await sampleRows(opened, sheet));
  }
  const corrections = [...samples].flatMap(([sheet, sample]) => correctionSheet(sample, sheet) ?? []);
  if (corrections.length > 0) return { kind: 'correction', sheets: corrections };
  if (source.sheet !== undefined && !isThere) {
    return [
      noSuchSheet(
        source.sheet,
        sheets.map(({ name }) => name),
      ),
    ];
  }
  const candidates = source.sheet === undefined ? visible : [source.sheet];
  const found: (ChosenSheet & { readonly sheet: string })[] = [];
  let firstProblem: readonly Issue[] = [];
  for (const sheet of candidates) {
    const sample = samples.get(sheet) ?? (await sampleRows(opened, sheet));
    const header = findHeader(sample, operation, source);
    if (isHeader(header)) found.push({ sheet, header, sample });
    else if (firstProblem.length === 0) firstProblem = header;
  }
  const [only, another] = found;
  if (only && another) return [severalSheets(found.map(({ sheet }) => sheet))];
  return only ?? firstProblem;
}

function isHeader(found: FoundHeader | readonly Issue[]): found is FoundHeader {
  return !Array.isArray(found);
}

function noSuchSheet(sheet: string, names: readonly string[]): Issue {
  return {
    code: 'header-missing',
    column: null,
    value: sheet,
    message: `The workbook has no sheet "${sheet}"; it has ${names.map((name) => `"${name}"`).join(', ')}.`,
    remedy: 'Correct sheet of the source in registrar.yaml.',
  };
}

function severalSheets(names: readonly string[]): Issue {
  return {
    code: 'sheet-ambiguous',
    column: null,
    value: names.join(', '),
    message: `${names.length} sheets have a header that maps: ${names.map((name) => `"${name}"`).join(', ')}.`,
    remedy: 'Name the one to read: sheet of the source in registrar.yaml.',
  };
}

function expectedRows(opened: OpenedDrop, { sheet, sample }: ChosenSheet): number | null {
  if (opened.workbook) return opened.workbook.sheets.find(({ name }) => name === sheet)?.rows ?? null;
  const chars = sample
    .flatMap(({ cells }) => cells)
    .reduce<number>((sum, cell) => sum + cellText(cell).length + 1, 0);
  return chars === 0 ? null : Math.round((opened.identity.bytes / chars) * sample.length);
}
