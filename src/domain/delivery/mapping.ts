import { isUnsent, type State } from '../submission.js';
import { type Intent, type SubmissionState, transitionBy } from './intent.js';

export interface MappingTarget {
  readonly id: number;
  readonly chosenIn: State;
  readonly state: State;
  /** Created from it by an earlier correction, and replaced with it; null: none, or it has its own row. */
  readonly earlierReplacement: SubmissionState | null;
}

/** null where one has changed state since it was selected. */
export function submissionsToReplace({
  id,
  chosenIn,
  state,
  earlierReplacement,
}: MappingTarget): SubmissionState[] | null {
  const isStill = chosenIn === 'replaced' ? state === 'replaced' : isUnsent(state);
  if (!isStill || (earlierReplacement !== null && !isUnsent(earlierReplacement.state))) return null;
  return earlierReplacement === null ? [{ id, state }] : [{ id, state }, earlierReplacement];
}

/** @param successor `isNew` false: it existed before. */
export function mapped(
  places: readonly SubmissionState[],
  successor: { readonly id: number; readonly isNew: boolean },
): Intent[] {
  const transitions = places.map((place) =>
    transitionBy(place, 'replaced', { cause: 'mapped', successorId: successor.id }),
  );
  // A request for a replaced submission was never answered: the successor's request may be a second write, and counts as one.
  const isRepeat = successor.isNew && places.some(({ state }) => state === 'in-doubt');
  return isRepeat ? [...transitions, { kind: 'count-repeat', submissionId: successor.id }] : transitions;
}
