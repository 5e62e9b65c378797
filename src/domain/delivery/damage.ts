import { type Standing, type Transition, transitionBy } from './intent.js';

/**
 * Holds a submission whose record in the ledger differs from what was staged: sent as is, it would be an unknown record. null
 * where the submission isn't about to be sent.
 */
export function heldAsDamaged(submission: Standing): Transition | null {
  return submission.state === 'waiting' ? transitionBy(submission, 'guarded', { cause: 'damaged' }) : null;
}
