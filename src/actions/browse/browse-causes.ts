import { readState } from '../../ledger/books/state/read-state.js';
import { openCauses } from '../../report/open-causes.js';
import type { ActionContext } from '../context.js';

/** What needs somebody. */
export type BrowsedCauses = ReturnType<typeof openCauses>;

/**
 * Reads why rows need attention, with counts, words and remedies as data, and which files are set aside.
 * @param asked isMasked: true where the reader may see no personal data.
 */
export async function browseCauses(
  { ledger }: ActionContext,
  { isMasked }: { readonly isMasked: boolean },
): Promise<BrowsedCauses> {
  return openCauses(await readState(ledger, ['causes', 'setAside']), isMasked);
}
