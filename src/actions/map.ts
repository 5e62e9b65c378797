import type { Decider } from '../domain/decider.js';
import { OperatorError } from '../domain/operator-error.js';
import { type MappingProblem, mappingProblem } from '../ledger/corrected-learners.js';
import { type Correction, corrections, saveCorrection } from '../ledger/corrections.js';
import { openDecision, openDecisionNumbered, unfinishedDecision } from '../ledger/decision-log.js';
import { type MovedRows, type StandingRows, standingOf } from '../ledger/learner-rows.js';
import { type Ledger, writing } from '../ledger/query.js';
import { suppressedLearners } from '../ledger/suppressions.js';
import type { ActionContext } from './context.js';
import { carryToItsEnd } from './decision/carry-to-its-end.js';
import { decide } from './decision/decide.js';
import { type Mapping, mapDeed, mappingOf } from './decision/map-learner.js';
import { learnerFromText } from './learners/learner-from-text.js';
import { identifierType, learnerToMap } from './learners/learner-to-map.js';

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
export interface Mapped extends MovedRows {
  readonly mapping: Mapping;
  readonly decisionId: number;
  /** Where the new submissions stand. */
  readonly standing: readonly StandingRows[];
}

/**
 * Works out what a corrected identifier changes; writes nothing. Throws OperatorError where it can't be corrected so.
 * Sentences don't repeat the identifiers.
 */
export function plan(context: ActionContext, { old, now, type, newType }: MapRequest): Mapping {
  const { ledger } = context;
  const known = type === undefined ? undefined : identifierType(type, '--type');
  const learner = learnerToMap(ledger, old, known);
  const meant = newType === undefined ? learner.type : identifierType(newType, '--new-type');
  return planCorrection(context, { old: learner, now: learnerFromText(ledger, meant, now, 'NEW') });
}

/** The same of identifiers that are read already. */
export function planCorrection({ ledger }: Pick<ActionContext, 'ledger'>, correction: Correction): Mapping {
  const known = corrections(ledger);
  const problem = mappingProblem(correction, known, suppressedLearners(ledger));
  if (problem !== null) throw refusal(problem);
  return mappingOf(ledger, correction, known);
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
  const mapping = planCorrection(context, correction);
  const asked = { operation: 'map a learner', subject: 'the ledger' };
  const open = () => openMapping(context.ledger, correction, who, because);
  const { decisionId, done } = await decide(context, mapDeed, open, { asked });
  return { ...done, mapping, decisionId, standing: standingOf(context.ledger, decisionId) };
}

/** The same for a caller that stages, and so holds the lease. */
export async function carryOutUnderLease(
  context: ActionContext,
  correction: Correction,
  who: Decider,
  because: string,
): Promise<void> {
  const { ledger } = context;
  planCorrection(context, correction);
  const decision = openDecisionNumbered(ledger, openMapping(ledger, correction, who, because));
  if (decision !== null) await carryToItsEnd(context, mapDeed, decision, null);
}

function openMapping(ledger: Ledger, correction: Correction, who: Decider, because: string): number {
  return writing(ledger, () => {
    const selection = { old: correction.old.hash, new: correction.now.hash };
    const id =
      unfinishedDecision(ledger, 'map', selection) ??
      openDecision(ledger, { kind: 'map', who, because, selection });
    saveCorrection(ledger, correction, id);
    return id;
  });
}

const REFUSALS: Readonly<Record<MappingProblem, { readonly message: string; readonly hint: string }>> = {
  same: { message: 'OLD and NEW are the same identifier', hint: 'Nothing is to be done.' },
  circle: {
    message: 'NEW has been mapped to OLD before, so that each would count in the place of the other',
    hint: 'If that was wrong, map NEW to the right identifier first; else the other way round is right already.',
  },
  forgotten: {
    message: 'a learner of these identifiers was forgotten on request; nothing about them may be kept',
    hint: 'Take the learner out of the files instead.',
  },
};

function refusal(problem: MappingProblem): OperatorError {
  return new OperatorError({ operation: 'map a learner', subject: 'OLD and NEW', ...REFUSALS[problem] });
}
