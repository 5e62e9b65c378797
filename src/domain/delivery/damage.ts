import { type Standing, type Transition, transitionBy } from './intent.js';

/** Holds a submission whose record differs from what was staged. null where it isn't about to be sent. */
export function heldAsDamaged(submission: Standing): Transition | null {
  return submission.state === 'waiting' ? transitionBy(submission, 'guarded', { cause: 'damaged' }) : null;
}
