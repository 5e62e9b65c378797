import { sql } from 'kysely';
import { type DecisionFacts, openDecision } from './decision-log.js';
import { all, first, type Ledger, query, writing } from './query.js';

/** An erasure that was decided on and whose end was not recorded: its process died, or is at work. */
export interface UnfinishedErasure {
  readonly decisionId: number;
  readonly kind: 'purge' | 'forget';
  readonly madeAt: string;
}

/**
 * Records the decision to erase, with what belongs to it, in one transaction; where the very same was begun and not
 * finished, it goes on under that decision.
 * @param begin what the first page of the erasure relies on.
 */
export function beginErasure(
  ledger: Ledger,
  facts: DecisionFacts & { readonly kind: 'purge' | 'forget' },
  begin: (decisionId: number) => void = () => {},
): number {
  return writing(ledger, () => {
    const before = first(
      ledger,
      query
        .selectFrom('decision')
        .select('decision_id as decisionId')
        .where('kind', '=', facts.kind)
        .where('selection', '=', JSON.stringify(facts.selection))
        .where('finished_at', 'is', null)
        .limit(1),
    );
    const decisionId = before?.decisionId ?? openDecision(ledger, facts);
    begin(decisionId);
    return decisionId;
  });
}

/** Erasures that were begun and not finished, oldest first. */
export function unfinishedErasures(ledger: Ledger): UnfinishedErasure[] {
  return all(
    ledger,
    query
      .selectFrom('decision')
      .select(['decision_id as decisionId', sql<'purge' | 'forget'>`kind`.as('kind'), 'made_at as madeAt'])
      .where('kind', 'in', ['purge', 'forget'])
      .where('finished_at', 'is', null)
      .orderBy('decision_id'),
  );
}
