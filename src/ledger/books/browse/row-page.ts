import { type Ledger, reading } from '../../store/query.js';
import { locateRows } from '../../submissions/select/locate-rows.js';
import type { ResolvedSelection } from '../../submissions/select/select-rows.js';
import { countListed, type PageAsked, placesOf, type RowPlace } from '../../submissions/select/selection.js';
import { type BrowsedRow, rowsAt } from './browsed-rows.js';

/** One page of the rows of a selection. */
export interface RowPage {
  readonly rows: readonly BrowsedRow[];
  /** Where to go on; null: there are no more rows. */
  readonly next: RowPlace | null;
  /** How many rows there are; null where counting them takes too long. */
  readonly count: number | null;
  /** Kept rows without a record that were not searched for the learner's identifier. */
  readonly unsearched: number;
}

/** Rows without a record whose cells are searched for a learner or a content: some ten milliseconds. */
const MAX_SEARCHED = 15_000;

/**
 * Reads one page of a selection's rows, in the order of drops and lines. Throws OperatorError for a submission, a line, a run or
 * a file that doesn't exist.
 */
export async function rowPage(
  ledger: Ledger,
  { selection, learners }: ResolvedSelection,
  asked: PageAsked,
): Promise<RowPage> {
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
