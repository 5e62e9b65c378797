import type { SheetLeft } from '../../domain/drop.js';
import type { ControlFinding } from '../../domain/files/control-totals.js';
import type { UntakenFile } from '../../domain/files/untaken-file.js';
import { agreeing, countOf } from '../../domain/text/count-of.js';
import { visibleStrings } from '../../domain/text/visible-text.js';
import type { DropSummary } from '../../ledger/drops/drop-list.js';
import type { Closure } from '../../ledger/drops/refused/refused-drops.js';
import { shown } from '../../normalise/reading.js';
import { wrapText } from '../text/layout.js';

/** What a person who has seen the workbook should know of a file's sheets; none where there is nothing to tell. */
export function sheetWords(file: Pick<DropSummary, 'dispositions' | 'hiddenRows' | 'sheetsLeft'>): string[] {
  const { dispositions } = file;
  const data =
    Object.values(dispositions).reduce((sum, count) => sum + count, 0) -
    dispositions['non-data'] -
    dispositions.blank;
  return [
    ...(file.hiddenRows > 0 ? [hiddenWords(file.hiddenRows, data)] : []),
    ...(file.sheetsLeft.length > 0 ? [leftWords(file.sheetsLeft)] : []),
  ];
}

/** @param data rows of data, the hidden ones among them. */
export function hiddenWords(hidden: number, data: number): string {
  return `${hidden} of ${countOf(data, 'row')} ${agreeing(hidden, 'is', 'are')} hidden in the sheet (a filter?); ${agreeing(hidden, 'it is', 'they are')} taken in like the others`;
}

/** As many sheets as a sentence bears. */
const SHOWN_SHEETS = 10;

/** The visible sheets that don't count. */
export function leftWords(sheets: readonly SheetLeft[]): string {
  const named = sheets
    .slice(0, SHOWN_SHEETS)
    .map(({ name, rows }) => `"${shown(name)}"${rows === null ? '' : ` (${countOf(rows, 'row')})`}`);
  const more = sheets.length > SHOWN_SHEETS ? ` and ${sheets.length - SHOWN_SHEETS} more` : '';
  return `${agreeing(sheets.length, 'sheet', 'sheets')} not read: ${named.join(', ')}${more}`;
}

/** Expected and read rows of data of one file, in words. */
export function controlWords({ state, min, max, read }: ControlFinding): string {
  const counted = `${expectedRows(min, max)} expected, ${read} read`;
  if (state === 'missing')
    return `no control file came; ${min === null && max === null ? `${countOf(read, 'row')} read` : counted}`;
  return state === 'met' ? counted : `NOT THE ROWS EXPECTED: ${counted}`;
}

function expectedRows(min: number | null, max: number | null): string {
  if (min === max) return min === null ? 'any number of rows' : countOf(min, 'row');
  if (max === null) return `${min} or more rows`;
  return min === null ? `up to ${countOf(max, 'row')}` : `${min} to ${countOf(max, 'row')}`;
}

/** How a set-aside file was closed, to follow "set aside"; '' while it is open. What a person gave as reason may be personal. */
export function closureText(closure: Closure | null): string {
  if (closure === null) return '';
  if (closure.kind === 'came-in') return ` (its rows have come in with drop ${closure.drop})`;
  const { decision, who, because, at } = closure;
  const why = because === null ? '' : `: ${because}`;
  return ` (dismissed by ${who} on ${at.slice(0, 10)}, decision ${decision}${why})`;
}

/** The names of a repeated file besides the one it is listed under, to follow "came in again"; '' where it has no other. */
export function otherNames({
  file,
  firstFile,
  repeatedNames,
}: Pick<DropSummary, 'file' | 'firstFile' | 'repeatedNames'>): string {
  const also = repeatedNames.filter((name) => name !== file);
  const names = [
    ...(also.length > 0 ? [`also as ${also.join(', ')}`] : []),
    ...(firstFile === file ? [] : [`first as ${firstFile}`]),
  ];
  return names.length === 0 ? '' : ` (${names.join('; ')})`;
}

/** That the file has changed since it was taken in; none where nobody has seen that. */
export function changedWords({ changedAt }: Pick<DropSummary, 'changedAt'>): string[] {
  return changedAt === null
    ? []
    : ['changed after it was taken in: what it held then comes in as another drop'];
}

/** Files on the screen; the JSON document has all. */
const MOST_SHOWN = 20;

/**
 * What no source takes, for a person at a terminal: a line that counts it and says when that was seen, then each with what
 * to do. Without a newline at the end; '' where there is nothing.
 * @param when the end of the first line: "now", "when the run had taken its files in".
 */
export function untakenText(
  found: readonly UntakenFile[],
  when: string,
  mostShown: number = MOST_SHOWN,
): string {
  if (found.length === 0) return '';
  const files = visibleStrings(found);
  const more = files.length - mostShown;
  return [
    `${files.length === 1 ? '1 thing not taken in lies' : `${files.length} things not taken in lie`} where files come in (seen ${when}):`,
    ...files.slice(0, mostShown).map(({ path, reason, remedy }) => wrapText(`${path} ${reason}. ${remedy}`)),
    ...(more > 0 ? [`… and ${more} more; --json lists all`] : []),
  ].join('\n');
}
