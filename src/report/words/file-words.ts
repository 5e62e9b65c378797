import type { UnmatchedFile } from '../../documents/common.js';
import type { Closure } from '../../documents/report.js';
import { countOf } from '../../domain/text/count-of.js';
import { visibleStrings } from '../../domain/text/visible-text.js';
import type { DropSummary } from '../../ledger/books/files/drop-list.js';

/** How a refused file was closed, in words that follow "refused"; '' while it is open. The reason may be personal. */
export function closureText(closure: Closure | null): string {
  if (closure === null) return '';
  if (closure.kind === 'came-in') return ` (its rows were imported later, with drop ${closure.drop})`;
  const { decision, who, because, at } = closure;
  const why = because === null ? '' : `: ${because}`;
  return ` (dismissed by ${who} on ${at.slice(0, 10)}, decision ${decision}${why})`;
}

/** The same closure without the operator's reason, which may name a person: for a failure, for instance. */
export function withoutReason(closure: Closure | null): Closure | null {
  return closure?.kind === 'dismissed' ? { ...closure, because: null } : closure;
}

/** Says that the file has changed since its import; empty where no change was noticed. */
export function changedWords({ changedAt }: Pick<DropSummary, 'changedAt'>): string[] {
  return changedAt === null ? [] : ['changed after its import: its new content is imported as another drop'];
}

const MAX_SHOWN = 20;

/** Without a newline at its end; '' where there are none. */
export function unmatchedText(unmatched: readonly UnmatchedFile[], mostShown = MAX_SHOWN): string {
  if (unmatched.length === 0) return '';
  const files = visibleStrings(unmatched);
  const more = files.length - mostShown;
  return [
    `${countOf(files.length, 'file')} in the inboxes ${files.length === 1 ? 'was' : 'were'} not imported:`,
    ...files.slice(0, mostShown).map(({ path, reason, remedy }) => `${path} ${reason}. ${remedy}`),
    ...(more > 0 ? [`… and ${more} more; --json lists all`] : []),
  ].join('\n');
}
