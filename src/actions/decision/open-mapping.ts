import type { Correction, MappingProblem } from '../../domain/learners/corrected-learners.js';
import { OperatorError } from '../../domain/operator-error.js';
import { type Mapping, planMapping } from '../../ledger/decisions/mapping.js';
import type { Ledger } from '../../ledger/store/query.js';

/**
 * What a corrected identifier changes. Throws OperatorError, which doesn't name the identifiers, where this correction
 * can't be made.
 */
export async function plannedMapping(ledger: Ledger, correction: Correction): Promise<Mapping> {
  const planned = await planMapping(ledger, correction);
  if (typeof planned === 'string') throw refusal(planned);
  return planned;
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
