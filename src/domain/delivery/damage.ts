import type { Cause } from '../cause.js';
import { type Move, moved, type Standing } from './intent.js';

/**
 * Holds a submission of which the ledger keeps something else than what was staged: sent as it is, it would be another
 * record, and which one nobody knows. null where it isn't about to be sent.
 */
export function heldAsDamaged(submission: Standing): Move | null {
  return submission.state === 'waiting' ? moved(submission, 'guarded', { cause: 'damaged' }) : null;
}

/** Lets a submission wait again whose record was put back; null where it isn't held for the damage. */
export function releasedAsMended(submission: Standing & { readonly cause: Cause | null }): Move | null {
  if (submission.state !== 'held' || submission.cause !== 'damaged') return null;
  return moved(submission, 'rerun', { cause: 'put-back', freshPatience: true });
}
