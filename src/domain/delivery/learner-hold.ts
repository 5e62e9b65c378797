import type { State } from '../submission.js';
import { type Intent, type LearnerRef, type Standing, type Transition, transitionBy } from './intent.js';

/** The platform is taken not to know a learner. */
export interface LearnerHold {
  /** The submission that is to ask again; null: none is. */
  readonly probeId: number | null;
}

/** True while the platform is taken not to know whom a submission is about, but for the one that is to ask again. */
export function isOnHold(hold: LearnerHold | null, submissionId: number): boolean {
  return hold !== null && hold.probeId !== submissionId;
}

/**
 * What a refusal of a learner does to the learner's submissions that wait although a person has let them pass all guards:
 * that was before this answer. They keep the leave.
 */
export function heldWithLearner(overriding: readonly Standing[]): Transition[] {
  return overriding.map((row) => transitionBy(row, 'guarded', { cause: 'learner-unknown' }));
}

/** What waits again when a hold ends: the submissions that were held or refused because the platform didn't know the learner. */
export function releasedWithLearner(behindHold: readonly Standing[]): Transition[] {
  return behindHold.map((row) => transitionBy(row, 'released', { cause: 'learner-accepted' }));
}

/** A submission behind a hold. */
export interface BehindHold extends Standing {
  /** No guard but the hold itself would keep it back, were it to wait. */
  readonly wouldGo: boolean;
}

/**
 * A recheck of a learner is due: one submission asks. The others follow when it is accepted; a refusal changes nothing but
 * when the next recheck is due. The first goes that no other guard would hold, which is as a rule the one that was
 * refused before, so that rechecks don't use up the learner's other rows.
 * @param probe state of the submission of an earlier recheck; null: there was none.
 * @param behindHold oldest first.
 */
export function rechecked(
  { environment, learner }: LearnerRef,
  probe: State | null,
  behindHold: readonly BehindHold[],
): Intent[] {
  if (probe === 'waiting' || probe === 'sending') return [];
  // All were dismissed or replaced: the learner's next row asks by itself.
  if (behindHold.length === 0) return [{ kind: 'lift-hold', environment, learner }];
  const next = behindHold.find((row) => row.wouldGo);
  if (next === undefined) return [];
  return [
    { kind: 'probe-learner', environment, learner, submissionId: next.id },
    transitionBy(next, 'released', { cause: 'recheck' }),
  ];
}
