import type { State } from '../submission.js';
import {
  type Intent,
  type LearnerRef,
  type SubmissionState,
  type Transition,
  transitionBy,
} from './intent.js';

export interface LearnerHold {
  /** null: no submission probes. */
  readonly probeId: number | null;
}

/** True while the hold keeps a submission back; the submission that probes may pass. */
export function isOnHold(hold: LearnerHold | null, submissionId: number): boolean {
  return hold !== null && hold.probeId !== submissionId;
}

/** Holds waiting submissions that a person had let pass all guards before this refusal. They keep their override. */
export function heldWithLearner(overriding: readonly SubmissionState[]): Transition[] {
  return overriding.map((row) => transitionBy(row, 'guarded', { cause: 'learner-unknown' }));
}

/** Those held or refused because the platform didn't know the learner. */
export function releasedWithLearner(heldRows: readonly SubmissionState[]): Transition[] {
  return heldRows.map((row) => transitionBy(row, 'released', { cause: 'learner-accepted' }));
}

export interface HeldRow extends SubmissionState {
  /** If it waited, only the hold itself would keep it back. */
  readonly wouldGo: boolean;
}

/**
 * One submission probes, as a rule the one refused before, so that rechecks don't use up the learner's other rows.
 * @param probe of an earlier recheck; null: there was none.
 * @param heldRows oldest first.
 */
export function rechecked(
  { environment, learner }: LearnerRef,
  probe: State | null,
  heldRows: readonly HeldRow[],
): Intent[] {
  if (probe === 'waiting' || probe === 'sending') return [];
  // All were dismissed or replaced: the learner's next row probes without a hold.
  if (heldRows.length === 0) return [{ kind: 'lift-hold', environment, learner }];
  const next = heldRows.find((row) => row.wouldGo);
  if (next === undefined) return [];
  return [
    { kind: 'probe-learner', environment, learner, submissionId: next.id },
    transitionBy(next, 'released', { cause: 'recheck' }),
  ];
}
