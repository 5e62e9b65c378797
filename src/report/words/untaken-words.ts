import type { UntakenFile } from '../../domain/files/untaken-file.js';
import { visibleStrings } from '../../domain/text/visible-text.js';
import { wrapText } from '../text/wrap-text.js';

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
