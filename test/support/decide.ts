import { closeDecision, type DecisionFacts, resultOf } from '../../src/ledger/decision-log.js';
import { listDecision, movePages } from '../../src/ledger/decisions.js';
import type { Ledger } from '../../src/ledger/query.js';
import type { Selected } from '../../src/ledger/selection.js';

/** Reruns or dismisses rows at once, as a process does that nothing befalls. */
export function decide(
  ledger: Ledger,
  decision: DecisionFacts & { readonly kind: 'rerun' | 'dismiss' },
  selected: readonly Pick<Selected, 'submissionId' | 'state'>[],
  runId: number | null,
): { decisionId: number; moved: number } {
  const decisionId = listDecision(ledger, decision, selected);
  for (const _ of movePages(ledger, { decisionId, kind: decision.kind }, runId));
  const { moved = 0 } = resultOf(ledger, decisionId);
  closeDecision(ledger, decisionId, { moved });
  return { decisionId, moved };
}
