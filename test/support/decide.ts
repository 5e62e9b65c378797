import { closeDecision, type DecisionFacts } from '../../src/ledger/decisions/decision-log.js';
import { moveListedRows } from '../../src/ledger/decisions/move-listed-rows.js';
import { type NewDecision, openDecision } from '../../src/ledger/erasure/open-decision.js';
import type { Ledger } from '../../src/ledger/store/query.js';
import type { RowFilter } from '../../src/ledger/submissions/select/selection.js';
import type { SelectedSubmission } from './select.js';

type Chosen = Pick<SelectedSubmission, 'submissionId' | 'state'>;

/** Reruns or dismisses rows at once, as an undisturbed process does. */
export async function decide(
  ledger: Ledger,
  decision: DecisionFacts & { readonly kind: 'rerun' | 'dismiss' },
  selected: readonly Chosen[],
  runId: number | null,
): Promise<{ decisionId: number; moved: number }> {
  const opened = await openDecision(ledger, listing(decision, these(selected)));
  const { decisionId } = opened;
  for await (const _ of moveListedRows(ledger, opened, runId));
  const { moved = 0 } = await closeDecision(ledger, decisionId);
  return { decisionId, moved };
}

/** A rerun or a dismissal of the matching rows. */
export function listing(
  { kind, ...facts }: DecisionFacts & { readonly kind: 'rerun' | 'dismiss' },
  filter: RowFilter,
): NewDecision {
  return kind === 'rerun' ? { ...facts, kind, filter } : { ...facts, kind, filter, refusals: [] };
}

/** The filter that matches exactly these rows while they are unchanged. */
export function these(selected: readonly Chosen[]): RowFilter {
  return {
    states: [...new Set(selected.map(({ state }) => state))],
    submissionIds: selected.map(({ submissionId }) => submissionId),
  };
}
