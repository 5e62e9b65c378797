import { isUnsent, type State } from '../submission.js';
import { type Intent, type Standing, transitionBy } from './intent.js';

/** A submission whose place the same record about another learner is to take. */
export interface Movable {
  readonly id: number;
  /** When it was chosen. */
  readonly chosenIn: State;
  readonly state: State;
  /** What an earlier correction made of it, which is to be replaced as well; null: nothing, or a row of its own. */
  readonly standIn: Standing | null;
}

/** What is to be replaced, as it stands now; null where it has moved on since it was chosen. */
export function placesToTake({ id, chosenIn, state, standIn }: Movable): Standing[] | null {
  const isStill = chosenIn === 'replaced' ? state === 'replaced' : isUnsent(state);
  if (!isStill || (standIn !== null && !isUnsent(standIn.state))) return null;
  return standIn === null ? [{ id, state }] : [{ id, state }, standIn];
}

/**
 * Lets the submission about another learner take these places.
 * @param successor `isNew` false: it was there before.
 */
export function mapped(
  places: readonly Standing[],
  successor: { readonly id: number; readonly isNew: boolean },
): Intent[] {
  const transitions = places.map((place) =>
    transitionBy(place, 'replaced', { cause: 'mapped', successorId: successor.id }),
  );
  // Sent once and never answered: sending it again may be a second write, and is counted as one.
  const isRepeat = successor.isNew && places.some(({ state }) => state === 'in-doubt');
  return isRepeat ? [...transitions, { kind: 'count-repeat', submissionId: successor.id }] : transitions;
}
