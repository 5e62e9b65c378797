import { readState } from '../../ledger/books/state/read-state.js';
import { openCauses } from '../../report/open-causes.js';
import type { ActionContext } from '../context.js';

/** What needs somebody. */
export type BrowsedCauses = ReturnType<typeof openCauses>;

/** Reads why rows need attention, with counts, words and remedies as data, and which files are set aside. Personal. */
export async function browseCauses({ ledger }: ActionContext): Promise<BrowsedCauses> {
  return openCauses(await readState(ledger, ['causes', 'setAside']));
}
