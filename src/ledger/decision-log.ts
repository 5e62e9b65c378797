import { sql } from 'kysely';
import { isoFromMs } from '../domain/clock.js';
import { all, change, first, type Ledger, query } from './query.js';
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

/**
 * Records a decision before anything of it is carried out.
 * @param lastTransitionId the last transition before it, for one that moves rows it lists.
 */
export function openDecision(
  ledger: Ledger,
  { kind, who, because, selection }: DecisionFacts,
  lastTransitionId: number | null = null,
): number {
  return change(
    ledger,
    query.insertInto('decision').values({
      kind,
      who,
      because,
      selection: JSON.stringify(selection),
      made_at: isoFromMs(ledger.clock.nowMs()),
      finished_at: null,
      last_transition_id: lastTransitionId,
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

/** A decision of this kind and selection that was begun and is not carried out to its end; null: there is none. */
export function unfinishedDecision(
  ledger: Ledger,
  kind: DecisionFacts['kind'],
  selection: DecisionFacts['selection'],
): number | null {
  const found = first(
    ledger,
    query
      .selectFrom('decision')
      .select('decision_id as id')
      .where('kind', '=', kind)
      .where('selection', '=', JSON.stringify(selection))
      .where('finished_at', 'is', null)
      .orderBy('decision_id')
      .limit(1),
  );
  return found?.id ?? null;
}

/** A decision as it is shown. */
export interface KeptDecision {
  readonly decisionId: number;
  readonly kind: Tables['decision']['kind'];
  readonly who: string;
  readonly because: string | null;
  readonly madeAt: string;
  /** null while it is not carried out to its end. */
  readonly finishedAt: string | null;
}

/** The decisions of these numbers; a null is passed over. */
export function decisionsNumbered(
  ledger: Ledger,
  ids: readonly (number | null)[],
): ReadonlyMap<number, KeptDecision> {
  const wanted = JSON.stringify([...new Set(ids)].filter((id) => id !== null));
  if (wanted === '[]') return new Map();
  const found = all(
    ledger,
    keptDecisions().where(sql<boolean>`decision_id in (select value from json_each(${wanted}))`),
  );
  return new Map(found.map((decision) => [decision.decisionId, decision]));
}

/** Decisions that were begun and are not carried out to their end, oldest first. */
export function openDecisions(ledger: Ledger): KeptDecision[] {
  return all(ledger, keptDecisions().where('finished_at', 'is', null).orderBy('decision_id'));
}

function keptDecisions() {
  return query
    .selectFrom('decision')
    .select([
      'decision_id as decisionId',
      'kind',
      'who',
      'because',
      'made_at as madeAt',
      'finished_at as finishedAt',
    ]);
}
