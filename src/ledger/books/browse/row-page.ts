import { type Ledger, reading } from '../../store/query.js';
import { locateRows } from '../../submissions/select/locate-rows.js';
import type { ResolvedSelection } from '../../submissions/select/select-rows.js';
import { countListed, type PageAsked, placesOf } from '../../submissions/select/selection.js';
import { rowsAt } from './browsed-rows.js';

/** Rows without a record whose cells are searched for a learner or a content: some ten milliseconds. */
const MAX_SEARCHED = 15_000;

/**
 * Reads one page of a selection's rows, in the order of drops and lines. Throws OperatorError for a submission, a line, a run or
 * a file that doesn't exist.
 * @returns `next`: where to go on, null where there are no more rows; `count`: null where counting them takes too long; `unsearched`:
 *   kept rows without a record that were not searched for the learner's identifier.
 */
export async function rowPage(ledger: Ledger, { selection, learners }: ResolvedSelection, asked: PageAsked) {
  return reading(ledger, async (ledger) => {
    const { filter, unsearched } = await locateRows(ledger, selection, learners, MAX_SEARCHED);
    const places = await placesOf(ledger, filter, { ...asked, limit: asked.limit + 1 });
    const shown = places.slice(0, asked.limit);
    return {
      rows: await rowsAt(ledger, shown),
      next: places.length > asked.limit ? (shown.at(-1) ?? null) : null,
      count: await countListed(ledger, filter),
      unsearched,
    };
  });
}
