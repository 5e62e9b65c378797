import { rowNamed } from '../../domain/selection.js';
import { type Trace, trace } from '../../report/trace/trace.js';
import type { ActionContext } from '../context.js';

/**
 * Reads the life of a row or a submission: `#17`, `17`, `3:217` (a drop's number and a line) or `march.csv:217`. Learners and keys
 * aren't looked up. Personal.
 * @param isExplained false: how each field came about is left out, which may need all rows of the drop.
 * @returns null where the text names none of these, or nothing that is there.
 */
export async function browseRow(
  { ledger, config }: ActionContext,
  { what, isExplained = true }: RowAsked,
): Promise<Trace | null> {
  const named = rowNamed(what);
  if (named === null) return null;
  const asked = typeof named === 'number' ? `#${named}` : what;
  const found = await trace(
    ledger,
    config,
    { what: asked, learners: null, searchAll: false },
    isExplained ? 'if-few' : 'never',
  );
  if (found.kind === null && found.remarks.length === 0) return null;
  return found;
}

/** Which row, and how much of it. */
export interface RowAsked {
  readonly what: string;
  readonly isExplained?: boolean;
}
