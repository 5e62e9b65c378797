import type { Decider } from '../domain/decider.js';
import type { Mapping } from '../ledger/decisions/mapping.js';
import { openDecision } from '../ledger/erasure/open-decision.js';
import type { ActionContext } from './context.js';
import { decide } from './decision/decide.js';
import { type MappedRows, mapDeed } from './decision/map-learner.js';
import { plannedMapping } from './decision/open-mapping.js';
import { learnerFromText } from './learners/learner-from-text.js';
import { identifierType, learnerToMap } from './learners/learner-to-map.js';

export type { Mapping };

/** Whose identifier is wrong, and the right one. Personal, as people write them. */
export interface MapRequest {
  readonly old: string;
  readonly now: string;
  /** The type of `old`, such as `Email`; undefined: the type that its rows have. */
  readonly type?: string | undefined;
  /** The type of `now`; undefined: the type of `old`. */
  readonly newType?: string | undefined;
}

/** What mapping a learner did. */
export interface Mapped extends MappedRows {
  readonly mapping: Mapping;
  readonly decisionId: number;
}

/**
 * Works out what a corrected identifier changes; writes nothing. Throws OperatorError where this correction can't be made.
 * Sentences don't repeat the identifiers.
 */
export async function plan(
  { ledger }: ActionContext,
  { old, now, type, newType }: MapRequest,
): Promise<Mapping> {
  const known = type === undefined ? undefined : identifierType(type, '--type');
  const learner = await learnerToMap(ledger, old, known);
  const meant = newType === undefined ? learner.type : identifierType(newType, '--new-type');
  return plannedMapping(ledger, { old: learner, now: learnerFromText(ledger, meant, now, 'NEW') });
}

/**
 * Records that one identifier counts in place of another, from now on and in every file to come, and replaces the rows that
 * were not delivered under the old one. Rows that are under way or accepted are left alone; a second call picks up rows
 * that were under way.
 */
export async function carryOut(
  context: ActionContext,
  { correction }: Mapping,
  who: Decider,
  because: string,
): Promise<Mapped> {
  const { ledger } = context;
  const mapping = await plannedMapping(ledger, correction);
  const asked = { operation: 'map a learner', subject: 'the ledger' };
  const open = async () => openDecision(ledger, { kind: 'map', correction, who, because });
  const { decisionId, done } = await decide(context, mapDeed, open, { asked });
  return { ...done, mapping, decisionId };
}
