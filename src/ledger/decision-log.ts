import { sql } from 'kysely';
import { isoFromMs } from '../domain/clock.js';
import type { Decider, Door } from '../domain/decider.js';
import { all, change, first, type Ledger, prepared, query } from './query.js';
import type { Tables } from './schema.js';

/** What can be decided. */
export type DecisionKind = Tables['decision']['kind'];

/** What a person decided, as it is kept. */
export interface DecisionFacts {
  readonly kind: DecisionKind;
  readonly who: Decider;
  /** null where no reason was asked for. */
  readonly because: string | null;
  /** What was asked for, without personal data. */
  readonly selection: Readonly<Record<string, unknown>>;
}

/** What a decision has done, in numbers; nothing of it is personal. */
export type DecisionResult = Readonly<Record<string, number>>;

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
      who: who.name,
      door: who.door,
      because,
      selection: JSON.stringify(selection),
      made_at: isoFromMs(ledger.clock.nowMs()),
      finished_at: null,
      result: null,
      last_transition_id: lastTransitionId,
    }),
  ).id;
}

/** Records that it was carried out to its end, and what it has done; nothing happens where that is known. */
export function closeDecision(ledger: Ledger, decisionId: number, result: DecisionResult = {}): void {
  change(
    ledger,
    query
      .updateTable('decision')
      .set({ finished_at: isoFromMs(ledger.clock.nowMs()), result: JSON.stringify(result) })
      .where('decision_id', '=', decisionId)
      .where('finished_at', 'is', null),
  );
}

/**
 * What a decision has done by now, whichever processes did it: submissions it has moved, submissions it has made, and invalid
 * rows it has dealt with.
 */
export function resultOf(ledger: Ledger, decisionId: number): DecisionResult {
  return prepared(ledger, RESULT).get({ decisionId }) as DecisionResult;
}

/** What a decision has made is rare in a drop, and has an index as such. */
const RESULT = `
  select
    (select count(*) from decision_submission x
      where x.decision_id = :decisionId and exists (
        select 1 from transition t where t.submission_id = x.submission_id and t.decision_id = :decisionId)) as moved,
    (select count(*) from submission
      where (revision > 1 or repeats > 0 or decision_id is not null) and decision_id = :decisionId) as made,
    (select count(*) from resolution where decision_id = :decisionId) as resolved`;

/** A decision of this kind and selection that was begun and is not carried out to its end; null: there is none. */
export function unfinishedDecision(
  ledger: Ledger,
  kind: DecisionKind,
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
  readonly kind: DecisionKind;
  readonly who: string;
  readonly door: Door;
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

/** A decision that is not carried out to its end, with all that carrying it out needs. */
export interface OpenDecision extends DecisionFacts {
  readonly decisionId: number;
  /** Of one that moves rows it lists: the last transition before it; else null. */
  readonly lastTransitionId: number | null;
}

/** The decision as it was recorded; null once it is carried out, and where there is none of that number. */
export function openDecisionNumbered(ledger: Ledger, decisionId: number): OpenDecision | null {
  return asRecorded(first(ledger, recorded(decisionId).where('finished_at', 'is', null)));
}

/** The same, also of one that is carried out. Throws where there is none of that number. */
export function decisionNumbered(ledger: Ledger, decisionId: number): OpenDecision {
  const found = asRecorded(first(ledger, recorded(decisionId)));
  if (found === null) throw new Error(`there is no decision ${decisionId}`);
  return found;
}

const FACTS = ['decision_id as decisionId', 'kind', 'who', 'door', 'because'] as const;

function recorded(decisionId: number) {
  return query
    .selectFrom('decision')
    .select([...FACTS, 'selection', 'last_transition_id as lastTransitionId'])
    .where('decision_id', '=', decisionId);
}

type Recorded = Omit<OpenDecision, 'who' | 'selection'> &
  Pick<KeptDecision, 'who' | 'door'> & { selection: string };

function asRecorded(found: Recorded | undefined): OpenDecision | null {
  if (found === undefined) return null;
  const { who, door, selection, ...facts } = found;
  return {
    ...facts,
    who: { name: who, door },
    selection: JSON.parse(selection) as DecisionFacts['selection'],
  };
}

function keptDecisions() {
  return query.selectFrom('decision').select([...FACTS, 'made_at as madeAt', 'finished_at as finishedAt']);
}
