import type { SourceConfig } from '../config/schema.js';
import { parseDropMark } from '../domain/files/attention-columns.js';
import type { Issue } from '../domain/issue.js';
import { cellText, isBlankRow, type Row } from '../domain/row.js';
import type { ReadableDrop } from '../intake/opened-drop.js';
import { type PublishedDrop, publishedDrops } from '../ledger/drops/published-drops.js';
import type { Ledger } from '../ledger/store/query.js';
import type { FoundHeader } from '../normalise/mapping/find-header.js';
import { readingDigest } from '../normalise/profile/profile.js';
import { type AttentionLayout, attentionLayout } from './attention-layout.js';
import type { CorrectionSheet } from './correction-file.js';
import { type KeptReading, readAgain } from './read-again.js';
import { type Refused, refused } from './refused.js';
import type { Profiled } from './table.js';

/** How a sheet of corrected rows is going to be read. */
export interface RedropPlan {
  readonly kind: 'redrop';
  readonly sheet: string | null;
  readonly headerLine: number;
  /** The source of all drops that the sheet corrects, whichever inbox the file lay in. */
  readonly source: SourceConfig;
  /** The drops that the sheet corrects, by their mark, which is the text in `_drop`. At least one. */
  readonly originals: ReadonlyMap<string, CorrectedDrop>;
  /** By mark: why rows that name such a drop can't be placed. */
  readonly unusable: ReadonlyMap<string, Issue>;
  readonly layout: AttentionLayout;
  /** The original columns, mapped, where the file has them. */
  readonly header: FoundHeader;
  /** Digest of all that decides how its rows are read, like a drop's. */
  readonly settings: string;
}

/** One of the drops that a sheet corrects. */
export interface CorrectedDrop {
  readonly drop: PublishedDrop;
  /** The drop's lines that several rows of the sheet name. */
  readonly repeated: ReadonlySet<number>;
  /** How the drop's row in this line is read; the sheet must name the line. */
  readonly readingOf: (line: number) => KeptReading;
}

/**
 * Decides how a sheet of corrected rows is read: finds the drops that the rows correct, and compares the columns. Reads all
 * rows of the sheet once.
 * @param ledger null where there is none yet.
 * @param sources all sources: a workbook with corrections for several sources may lie in any inbox.
 * @param profiled as in `readAgain`.
 * @returns the issues where no row of the sheet can be matched to its original.
 */
export async function planRedrop(
  opened: ReadableDrop,
  corrections: CorrectionSheet,
  ledger: Ledger | null,
  sources: readonly SourceConfig[],
  profiled: Profiled = 'whole',
): Promise<RedropPlan | Refused> {
  const { sheet, headerLine, columns } = corrections;
  const found = ledger === null ? null : await firstKnown(opened, corrections, ledger);
  if (ledger === null || found === null) return refused(unknownDrop(corrections));
  const source = sources.find(({ name }) => name === found.source);
  if (!source) return refused(sourceGone(found));
  const layout = attentionLayout(columns, headerLine, found.header, found.file);
  if (layout.kind === 'refused') return layout;
  const named = await linesNamed(opened.rows(sheet ?? undefined), headerLine, layout);
  const originals = new Map<string, CorrectedDrop>();
  const unusable = new Map<string, Issue>();
  let header: FoundHeader | null = null;
  const profiles: unknown[] = [];
  for (const [mark, lines] of named) {
    const drop = await dropOf(ledger, mark);
    const problem = drop === null ? unknownMark(mark) : problemOf(drop, found, mark);
    if (drop === null || problem) {
      if (problem) unusable.set(mark, problem);
      continue;
    }
    const toRead = { ...drop, headerLine, countsCells: false };
    const again = await readAgain(ledger, toRead, source, lines.keys(), profiled);
    if (again.kind === 'refused') return again;
    const repeated = new Set([...lines].filter(([, times]) => times > 1).map(([line]) => line));
    originals.set(mark, { drop, repeated, readingOf: again.of });
    for (const [firstId, reading] of again.readings) {
      header ??= reading.header;
      profiles.push([drop.dropId, firstId, reading.profile]);
    }
  }
  if (header === null) return refused(...[...unusable.values()].slice(0, 1));
  const settings = readingDigest(sheet, source, profiles);
  return { kind: 'redrop', sheet, headerLine, source, originals, unusable, layout, header, settings };
}

/** The line that a row's `_row` names; null where `_row` holds no line number. */
export function originalLine(row: Row, { row: index }: Pick<AttentionLayout, 'row'>): number | null {
  const text = cellText(row.cells[index]).trim();
  return /^[1-9]\d{0,9}$/.test(text) ? Number(text) : null;
}

/** What a row's `_drop` says. */
export function markOf(row: Row, { drop: index }: Pick<AttentionLayout, 'drop'>): string {
  return cellText(row.cells[index]).trim();
}

/** The first drop of this ledger that a row names; null where no row names one. */
async function firstKnown(
  opened: ReadableDrop,
  { sheet, headerLine, columns, mark }: CorrectionSheet,
  ledger: Ledger,
): Promise<PublishedDrop | null> {
  const ofSample = mark === null ? null : await dropOf(ledger, mark);
  if (ofSample) return ofSample;
  const drop = columns.findLastIndex((name) => name.trim() === '_drop');
  const asked = new Set<string>();
  for await (const batch of opened.rows(sheet ?? undefined)) {
    for (const row of batch) {
      const text = markOf(row, { drop });
      if (row.line <= headerLine || asked.has(text)) continue;
      asked.add(text);
      const known = await dropOf(ledger, text);
      if (known) return known;
    }
  }
  return null;
}

async function dropOf(ledger: Ledger, text: string): Promise<PublishedDrop | null> {
  const mark = parseDropMark(text);
  const [drop] = mark === null ? [] : await publishedDrops(ledger, mark.dropId);
  return drop?.identity.sha256.startsWith(mark?.sha256 ?? '') ? drop : null;
}

/**
 * The lines that rows name, by the mark of their drop, each with the number of rows that name it. Rows that name no line
 * are left out.
 */
async function linesNamed(
  rows: AsyncIterable<readonly Row[]>,
  headerLine: number,
  layout: AttentionLayout,
): Promise<ReadonlyMap<string, ReadonlyMap<number, number>>> {
  const named = new Map<string, Map<number, number>>();
  for await (const batch of rows) {
    for (const row of batch) {
      const line = row.line > headerLine && !isBlankRow(row.cells) ? originalLine(row, layout) : null;
      const mark = markOf(row, layout);
      if (line === null || parseDropMark(mark) === null) continue;
      const lines = named.get(mark) ?? new Map<number, number>();
      named.set(mark, lines);
      lines.set(line, (lines.get(line) ?? 0) + 1);
    }
  }
  return named;
}

/** Why a drop's rows can't stand on the same sheet as those of `first`; null where they can. */
function problemOf(drop: PublishedDrop, first: PublishedDrop, mark: string): Issue | null {
  const isSameSource = drop.source === first.source;
  if (isSameSource && JSON.stringify(drop.header) === JSON.stringify(first.header)) return null;
  return {
    code: 'original-unknown',
    column: '_drop',
    value: mark,
    message: isSameSource
      ? `_drop ${mark} is ${drop.file}, which has other columns than ${first.file}, whose rows stand on the same sheet`
      : `_drop ${mark} is of source ${drop.source}, and the rows above are of ${first.source}`,
    remedy: 'leave the rows on the sheet on which they were written',
  };
}

function unknownMark(mark: string): Issue {
  return {
    code: 'original-unknown',
    column: '_drop',
    value: mark,
    message: `_drop ${mark} is no drop of this ledger`,
    remedy:
      'put back what the sheet had in _drop; rows of another workspace’s report go into an inbox of that one',
  };
}

function unknownDrop({ mark, headerLine }: CorrectionSheet): Issue {
  return {
    code: 'attention-drop-unknown',
    column: '_drop',
    value: mark,
    message:
      mark === null
        ? `line ${headerLine} is the header of an attention file, and no row below says in _drop of which drop`
        : `the file is an attention file of drop ${mark}, which is not in this ledger`,
    remedy:
      mark === null
        ? 'put back the column _drop as the attention file had it'
        : 'put it into the inbox of the workspace whose report it comes from',
  };
}

function sourceGone({ source, file }: PublishedDrop): Issue {
  return {
    code: 'attention-drop-unknown',
    column: '_drop',
    value: null,
    message: `the rows correct ${file}, which came in for source ${source}, and registrar.yaml has no such source any more`,
    remedy: 'put the source back into registrar.yaml, then put the file into the inbox again',
  };
}
