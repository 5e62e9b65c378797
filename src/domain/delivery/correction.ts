import type { RowRef } from '../row-ref.js';
import { type Decided, rerun } from './decided.js';
import { type Intent, transitionBy } from './intent.js';

/** What a row of a corrected attention file has come to. */
export type Fate =
  | { readonly kind: 'made'; readonly submissionId: number }
  | { readonly kind: 'repeats'; readonly submissionId: number }
  /** No record, or none that is to be delivered. */
  | { readonly kind: 'none' };

/** Stands for the number of a submission or a drop that a dry run would create. */
export const NOT_YET = 0;

/**
 * A member of a lineage, the submissions and rows that stand for one record of a sender, that still waits for a person or for its
 * delivery.
 */
export type OpenMember =
  | (RowRef & { readonly kind: 'invalid' })
  | (RowRef & {
      readonly kind: 'submission';
      readonly submission: Decided;
      /** The same decision has already moved the submission. */
      readonly isDone: boolean;
    });

/**
 * Decides which members of a lineage a corrected row closes. The submission that the row became replaces the other submissions; a
 * submission that the row repeats is sent again, as by a rerun; and invalid rows are resolved, whatever the corrected row became.
 * @param corrected where the corrected row stands.
 */
export function closedBy(corrected: RowRef, fate: Fate, open: readonly OpenMember[]): Intent[] {
  return open.flatMap((member): Intent[] => {
    if (member.kind === 'invalid') {
      // A corrected row that is invalid itself waits for a correction of its own.
      if (member.dropId === corrected.dropId) return [];
      const by = fate.kind === 'none' ? { row: corrected } : { submissionId: fate.submissionId };
      return [{ kind: 'resolve-row', row: { dropId: member.dropId, line: member.line }, by }];
    }
    if (fate.kind === 'none' || member.isDone) return [];
    const { submission } = member;
    if (submission.id !== fate.submissionId) {
      return [transitionBy(submission, 'replaced', { cause: 'corrected', successorId: fate.submissionId })];
    }
    const again = fate.kind === 'repeats' ? rerun(submission, 'redrop') : null;
    return again === null ? [] : [again];
  });
}

/** What happens to an original, as reports say it. */
export type CorrectionEffect = 'rerun' | 'replaced' | 'resolved' | 'unchanged';

/** Sums up what a corrected row closes. */
export function effectOf(intents: readonly Intent[]): CorrectionEffect {
  const transitions = intents.filter((intent) => intent.kind === 'transition');
  if (transitions.some(({ event }) => event === 'rerun')) return 'rerun';
  if (transitions.length > 0) return 'replaced';
  return intents.length > 0 ? 'resolved' : 'unchanged';
}
