import type { TextFacts } from '../opened-drop.js';
import { type CellKind, usualKinds } from '../swallowed-rows.js';
import { unreadable } from '../unreadable.js';
import { countLineEnds } from './line-counter.js';
import type { RowSyntax } from './record-cutter.js';
import { createRowSplitter } from './split-rows.js';

/** How a text file is laid out, as far as its beginning shows. */
export interface CsvLayout extends RowSyntax {
  /** How many cells most of the first rows have, without blank lines and rows of one cell; null: there are no other rows. */
  readonly usualCells: number | null;
  /** What these rows have in each of so many columns. */
  readonly usualKinds: readonly CellKind[];
  readonly lineEnds: TextFacts['lineEnds'];
  /** True where a backslash precedes a quote. */
  readonly hasEscapedQuotes: boolean;
}

/**
 * Looks at the beginning of a text. The declared delimiter wins, then the one of a `sep=` line, then the one under
 * which neighbouring records have the same number of fields.
 */
export function detectLayout(
  text: string,
  declared: string | undefined,
  rowEnd: string | null = null,
  quoting: Pick<RowSyntax, 'quote' | 'escape'> = {},
): CsvLayout {
  const separator = /^"?sep=(\t|[^\w\s"])"?(?:[\r\n]|$)/i.exec(text)?.[1];
  const delimiter = declared ?? separator ?? detectDelimiter(text, { rowEnd, ...quoting });
  const syntax = { delimiter, rowEnd, ...quoting };
  const rows = firstRecords(text, syntax);
  const width = usualCells(rows);
  return {
    ...syntax,
    usualCells: width,
    usualKinds: usualKinds(
      rows.filter(({ length }) => length === width),
      width ?? 0,
    ),
    lineEnds: lineEnds(text, rowEnd),
    hasEscapedQuotes: text.includes('\\"'),
  };
}

/**
 * The delimiters that are looked for; of equals the earlier wins. The comma comes last: it is the one that prose and decimal numbers hold
 * as well, while a tab or a semicolon in every record is there for a reason.
 */
export const DELIMITERS = ['\t', ';', '|', ','] as const;

/** The delimiter reported for a text without any. */
const NO_DELIMITER = ',';

const SAMPLE_RECORDS = 50;

function usualCells(rows: readonly (readonly string[])[]): number | null {
  const counts = new Map<number, number>();
  for (const { length: width } of rows) if (width > 1) counts.set(width, (counts.get(width) ?? 0) + 1);
  const [most] = [...counts].sort(([, one], [, other]) => other - one);
  return most?.[0] ?? null;
}

function detectDelimiter(text: string, others: Omit<RowSyntax, 'delimiter'>): string {
  let best = { delimiter: NO_DELIMITER, agreeing: 0, fields: 0 };
  for (const delimiter of DELIMITERS) {
    const widths = firstRecords(text, { delimiter, ...others }).map(({ length }) => length);
    const agreeing =
      widths.filter((width, i) => width > 1 && agrees(width, widths, i)).length / widths.length;
    const fields = widths.reduce((sum, width) => sum + width - 1, 0);
    // Where no two records agree, the delimiter that occurs most is taken.
    if (agreeing > best.agreeing || (agreeing === 0 && best.agreeing === 0 && fields > best.fields)) {
      best = { delimiter, agreeing, fields };
    }
  }
  return best.delimiter;
}

/**
 * Comparing neighbours instead of the whole file lets reports of several tables count, and titles not; and where a
 * decimal comma splits the data, the header still disagrees with it.
 */
function agrees(width: number, widths: readonly number[], i: number): boolean {
  return widths[i - 1] === width || widths[i + 1] === width;
}

/** The fields of the first records that aren't blank lines; the sample may end inside quotes. */
function firstRecords(text: string, syntax: RowSyntax): readonly (readonly string[])[] {
  const splitter = createRowSplitter(syntax);
  return [splitter.add(text), splitter.end()]
    .flatMap(({ rows }) => rows.map(({ cells }) => cells))
    .filter(({ length }) => length > 0)
    .slice(0, SAMPLE_RECORDS);
}

/** Line breaks inside quotes aren't line ends; a quote that means inches can blur that, which does no harm. */
function lineEnds(text: string, rowEnd: string | null): TextFacts['lineEnds'] {
  const outsideQuotes = text.split('"').filter((_, i) => i % 2 === 0);
  const found = new Set(
    rowEnd === null
      ? outsideQuotes.flatMap((part) => part.match(/\r\n|\n|\r/g) ?? [])
      : text.split(rowEnd).flatMap((part, i) => (i > 0 && /^(?:\r\n|\n|\r)/.exec(part)) || []),
  );
  if (found.size > 1) return 'mixed';
  if (found.has('\r\n')) return 'crlf';
  if (found.has('\n')) return 'lf';
  return found.has('\r') ? 'cr' : 'none';
}

/**
 * The mark that ends the rows of a text besides line ends: `!##!` where its first line ends with it, as in the files of SAP
 * SuccessFactors Learning's connectors; else null. Throws where only a later line does: then it is unclear where rows end.
 */
export function detectRowEnd(path: string, text: string): string | null {
  if (FIRST.test(text)) return MARK;
  const later = LATER.exec(text);
  if (later === null) return null;
  const line = countLineEnds(text.slice(0, later.index)) + 1;
  throw unreadable(
    path,
    `line ${line} ends with ${MARK}, which ends rows in the exports of some systems, and the first line doesn't`,
    `Write rowEnd: "${MARK}" for the source and have every row end with it, the header too; or remove it from the file.`,
  );
}

const MARK = '!##!';

/** A line with the mark at its end; or no line at all, because every row ends with nothing but the mark. */
const FIRST = /^[^\r\n]*!##!(?:[\r\n]|[^\r\n]*$)/;
const LATER = /!##![ \t]*[\r\n]/;
