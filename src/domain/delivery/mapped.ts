import { isUnsent, type State } from '../submission.js';
import { type Intent, type Standing, transitionBy } from './intent.js';

/** A submission that the same record about another learner is to replace. */
export interface Movable {
  readonly id: number;
  readonly chosenIn: State;
  readonly state: State;
  /**
   * The submission that an earlier correction made from it, which is to be replaced as well; null: there is none, or it has a row
   * of its own.
   */
  readonly standIn: Standing | null;
}

/** The submissions to replace, in their present states; null where one has moved on since it was chosen. */
export function placesToTake({ id, chosenIn, state, standIn }: Movable): Standing[] | null {
  const isStill = chosenIn === 'replaced' ? state === 'replaced' : isUnsent(state);
  if (!isStill || (standIn !== null && !isUnsent(standIn.state))) return null;
  return standIn === null ? [{ id, state }] : [{ id, state }, standIn];
}

/**
 * Replaces these submissions by the one about another learner.
 * @param successor `isNew` false: it existed before.
 */
export function mapped(
  places: readonly Standing[],
  successor: { readonly id: number; readonly isNew: boolean },
): Intent[] {
  const transitions = places.map((place) =>
    transitionBy(place, 'replaced', { cause: 'mapped', successorId: successor.id }),
  );
  // A request for a replaced submission was never answered: the successor's request may be a second write, and counts as one.
  const isRepeat = successor.isNew && places.some(({ state }) => state === 'in-doubt');
  return isRepeat ? [...transitions, { kind: 'count-repeat', submissionId: successor.id }] : transitions;
}
