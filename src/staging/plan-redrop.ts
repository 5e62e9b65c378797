import type { SourceConfig } from '../config/schema.js';
import { parseDropMark } from '../domain/attention-columns.js';
import type { Issue } from '../domain/issue.js';
import { cellText, type Row } from '../domain/row.js';
import type { OpenedDrop } from '../intake/opened-drop.js';
import type { Ledger } from '../ledger/query.js';
import { type PublishedDrop, publishedDrop } from '../ledger/restaging.js';
import { readingDigest } from '../normalise/reading-digest.js';
import { type AttentionLayout, attentionLayout } from './attention-layout.js';
import type { AttentionSheet } from './attention-sheet.js';
import type { Preparation } from './prepare-rows.js';
import { readAgain } from './read-again.js';

/** How a corrected attention file is going to be read. */
export interface RedropPlan {
  readonly kind: 'redrop';
  readonly sheet: string | null;
  readonly headerLine: number;
  /** The drop that it corrects. */
  readonly original: PublishedDrop;
  /** Its `_drop`, which each row must have. */
  readonly mark: string;
  readonly layout: AttentionLayout;
  /** Original lines that several rows name. */
  readonly repeated: ReadonlySet<number>;
  /** As the original's rows are read, with the header where the file has it. */
  readonly preparation: Preparation;
  /** Digest of what decides how its rows are read, as a drop's. */
  readonly settings: string;
}

/**
 * Decides how a corrected attention file is read: finds the drop that it is of, and compares the columns. Goes through
 * all its rows once. Returns the issues where it can't be read; null for the ledger: there is none yet.
 */
export async function planRedrop(
  opened: OpenedDrop,
  attention: AttentionSheet,
  ledger: Ledger | null,
  source: SourceConfig,
): Promise<RedropPlan | readonly Issue[]> {
  const { sheet, headerLine } = attention;
  const mark = attention.mark === null ? null : parseDropMark(attention.mark);
  const original = ledger === null || mark === null ? null : publishedDrop(ledger, mark.dropId, mark.sha256);
  if (ledger === null || original === null || attention.mark === null) return [unknownDrop(attention)];
  if (original.source !== source.name) return [otherSource(attention.mark, original.source, source.name)];
  const layout = attentionLayout(attention, original.header, original.file);
  if ('code' in layout) return [layout];
  const preparation = await readAgain(ledger, { ...original, headerLine }, source);
  if (!('operation' in preparation)) return preparation;
  const repeated = await linesNamedTwice(opened.rows(sheet ?? undefined), headerLine, layout);
  const settings = readingDigest(sheet, source, preparation.plan.profile, original.dropId);
  return {
    kind: 'redrop',
    sheet,
    headerLine,
    original,
    mark: attention.mark,
    layout,
    repeated,
    preparation,
    settings,
  };
}

/** The line that a row's `_row` names; null for what is no line's number. */
export function originalLine(row: Row, { row: index }: Pick<AttentionLayout, 'row'>): number | null {
  const text = cellText(row.cells[index]).trim();
  return /^[1-9]\d{0,9}$/.test(text) ? Number(text) : null;
}

async function linesNamedTwice(
  rows: AsyncIterable<readonly Row[]>,
  headerLine: number,
  layout: AttentionLayout,
): Promise<ReadonlySet<number>> {
  const seen = new Set<number>();
  const repeated = new Set<number>();
  for await (const batch of rows) {
    for (const row of batch) {
      const line = row.line > headerLine ? originalLine(row, layout) : null;
      if (line === null) continue;
      if (seen.has(line)) repeated.add(line);
      seen.add(line);
    }
  }
  return repeated;
}

function unknownDrop({ mark, headerLine }: AttentionSheet): Issue {
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

function otherSource(mark: string, isOf: string, source: string): Issue {
  return {
    code: 'attention-drop-unknown',
    column: '_drop',
    value: mark,
    message: `the file is an attention file of drop ${mark}, which came in for source ${isOf}, not for ${source}`,
    remedy: `put it into the inbox of ${isOf}`,
  };
}
