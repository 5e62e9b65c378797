import type { Decider } from '../../domain/decider.js';
import { OperatorError } from '../../domain/operator-error.js';
import { type MappingProblem, mappingProblem } from '../../ledger/corrected-learners.js';
import { type Correction, corrections, saveCorrection } from '../../ledger/corrections.js';
import { openDecision, openDecisionNumbered, unfinishedDecision } from '../../ledger/decision-log.js';
import { type Ledger, writing } from '../../ledger/query.js';
import { suppressedLearners } from '../../ledger/suppressions.js';
import type { ActionContext } from '../context.js';
import { carryToItsEnd } from './carry-to-its-end.js';
import { type Mapping, mapDeed, mappingOf } from './map-learner.js';

/** What a corrected identifier changes. Throws OperatorError, without the identifiers, where it can't be corrected so. */
export function plannedMapping(ledger: Ledger, correction: Correction): Mapping {
  const known = corrections(ledger);
  const problem = mappingProblem(correction, known, suppressedLearners(ledger));
  if (problem !== null) throw refusal(problem);
  return mappingOf(ledger, correction, known);
}

/** Records that a learner is mapped; one that was begun before goes on. @returns the decision's number. */
export function openMapping(ledger: Ledger, correction: Correction, who: Decider, because: string): number {
  return writing(ledger, () => {
    const selection = { old: correction.old.hash, new: correction.now.hash };
    const id =
      unfinishedDecision(ledger, 'map', selection) ??
      openDecision(ledger, { kind: 'map', who, because, selection });
    saveCorrection(ledger, correction, id);
    return id;
  });
}

/** Maps a learner for a caller that stages, and so holds the lease. */
export async function mapUnderLease(
  context: ActionContext,
  correction: Correction,
  who: Decider,
  because: string,
): Promise<void> {
  const { ledger } = context;
  plannedMapping(ledger, correction);
  const decision = openDecisionNumbered(ledger, openMapping(ledger, correction, who, because));
  if (decision !== null) await carryToItsEnd(context, mapDeed, decision, null);
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
