import type { Selection } from '../../src/domain/selection.js';
import type { Ledger } from '../../src/ledger/store/query.js';
import { planDismissal, type ResolvedSelection } from '../../src/ledger/submissions/select/select-rows.js';
import type { RowFilter } from '../../src/ledger/submissions/select/selection.js';
import { ANY_ROW } from '../support/any-row.js';

/** All rows, invalid ones included, unless filters narrow them. */
export function selectionOf(
  filters: Partial<Selection> = {},
  learners: ResolvedSelection['learners'] = null,
): ResolvedSelection {
  return { selection: { ...ANY_ROW, ...filters }, learners };
}

/** All waiting rows, as a dismissal selects them. */
export async function waitingFilter(ledger: Ledger): Promise<RowFilter> {
  const planned = await planDismissal(
    ledger,
    { rows: selectionOf({ states: ['waiting'] }), file: null, drop: null },
    0,
  );
  if ('other' in planned) throw new Error('it names no drop');
  return planned.filter;
}
