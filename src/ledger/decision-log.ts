import { isoFromMs } from '../domain/clock.js';
import { change, type Ledger, query } from './query.js';
import type { Tables } from './schema.js';

/** What a person decided, as it is kept. */
export interface DecisionFacts {
  readonly kind: Tables['decision']['kind'];
  readonly who: string;
  /** null where no reason was asked for. */
  readonly because: string | null;
  /** What was asked for, without personal data. */
  readonly selection: Readonly<Record<string, unknown>>;
}

/** Records a decision before anything of it is carried out. */
export function openDecision(ledger: Ledger, { kind, who, because, selection }: DecisionFacts): number {
  return change(
    ledger,
    query.insertInto('decision').values({
      kind,
      who,
      because,
      selection: JSON.stringify(selection),
      made_at: isoFromMs(ledger.clock.nowMs()),
      finished_at: null,
    }),
  ).id;
}

/** Records that it was carried out to its end. */
export function closeDecision(ledger: Ledger, decisionId: number): void {
  change(
    ledger,
    query
      .updateTable('decision')
      .set({ finished_at: isoFromMs(ledger.clock.nowMs()) })
      .where('decision_id', '=', decisionId),
  );
}
