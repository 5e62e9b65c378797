import type { Decider } from '../domain/decider.js';
import type { Mapping } from '../ledger/decisions/mapping.js';
import { openDecision } from '../ledger/decisions/open-decision.js';
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
  /** What `old` is, such as `Email`; undefined: what its rows say. */
  readonly type?: string | undefined;
  /** What `now` is; undefined: the same. */
  readonly newType?: string | undefined;
}

/** What mapping a learner did. */
export interface Mapped extends MappedRows {
  readonly mapping: Mapping;
  readonly decisionId: number;
}

/**
 * Works out what a corrected identifier changes; writes nothing. Throws OperatorError where it can't be corrected so.
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
 * Records that one identifier counts in another's place, from now on and in every file to come, and replaces what was
 * not delivered under the old one. What is under way or accepted is left alone; the same once more picks up what was under
 * way then.
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
