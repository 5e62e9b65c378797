import { closeDecision, type DecisionFacts, resultOf } from '../../src/ledger/decision-log.js';
import { listDecision, movePages } from '../../src/ledger/decisions.js';
import type { Ledger } from '../../src/ledger/query.js';
import type { RowFilter, SelectedSubmission } from '../../src/ledger/selection.js';

type Chosen = Pick<SelectedSubmission, 'submissionId' | 'state'>;

/** Reruns or dismisses rows at once, as a process does that nothing befalls. */
export function decide(
  ledger: Ledger,
  decision: DecisionFacts & { readonly kind: 'rerun' | 'dismiss' },
  selected: readonly Chosen[],
  runId: number | null,
): { decisionId: number; moved: number } {
  const decisionId = listDecision(ledger, decision, these(selected));
  for (const _ of movePages(ledger, { decisionId, kind: decision.kind }, runId));
  const { moved = 0 } = resultOf(ledger, decisionId);
  closeDecision(ledger, decisionId, { moved });
  return { decisionId, moved };
}

/** The filter that these rows fit while they are as they were selected, and nothing else does. */
export function these(selected: readonly Chosen[]): RowFilter {
  return {
    states: [...new Set(selected.map(({ state }) => state))],
    submissionIds: selected.map(({ submissionId }) => submissionId),
  };
}
