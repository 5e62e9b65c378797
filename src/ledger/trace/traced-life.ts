import type { Ledger } from '../store/query.js';
import { type HoldFacts, holdOf } from '../submissions/learner-holds.js';
import { type QueuePlace, queuePlace } from '../submissions/waiting/queue.js';
import { type SubmissionLife, submissionLife } from './submission-life.js';

/** A submission's life with the facts that decide how it goes on. Personal. */
export interface TracedLife extends SubmissionLife {
  /** Its place in the queue; null unless it waits. */
  readonly queue: QueuePlace | null;
  /** The rechecks of its learner; null unless the submission needs a person because the platform doesn't know the learner. */
  readonly hold: HoldFacts | null;
}

/** The life of a submission; null when there is none of that number, or its drop isn't published. */
export async function tracedLife(ledger: Ledger, submissionId: number): Promise<TracedLife | null> {
  const life = await submissionLife(ledger, submissionId);
  if (life === null) return null;
  const { state, cause, environment } = life;
  return {
    ...life,
    queue: state === 'waiting' ? await queuePlace(ledger, environment, submissionId) : null,
    hold: cause === 'learner-unknown' ? await holdOf(ledger, submissionId) : null,
  };
}
