import type { RowRef } from '../row-ref.js';
import { type Decided, rerun } from './decided.js';
import { type Intent, transitionBy } from './intent.js';

/** What a row of a corrected attention file has come to. */
export type Fate =
  | { readonly kind: 'made'; readonly submissionId: number }
  | { readonly kind: 'repeats'; readonly submissionId: number }
  /** No record, or none that is to be delivered. */
  | { readonly kind: 'none' };

/** Stands for the number of a submission or a drop that a dry run only speaks of. */
export const NOT_YET = 0;

/** Of what stands for the same record of a sender: what still waits for somebody or for its delivery. */
export type OpenMember =
  | (RowRef & { readonly kind: 'invalid' })
  | (RowRef & {
      readonly kind: 'submission';
      readonly submission: Decided;
      /** The same decision has moved it before. */
      readonly isDone: boolean;
    });

/**
 * Decides what of a lineage a corrected row closes: other submissions make room for the one that it became; the one that
 * it repeats is sent again, as by a rerun; and invalid rows are dealt with, whatever it has come to.
 * @param corrected where the corrected row stands.
 */
export function closedBy(corrected: RowRef, fate: Fate, open: readonly OpenMember[]): Intent[] {
  return open.flatMap((member): Intent[] => {
    if (member.kind === 'invalid') {
      // A corrected row that is invalid itself is there to be corrected in turn.
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

/** What becomes of an original, as people are told. */
export type CorrectionEffect = 'rerun' | 'replaced' | 'resolved' | 'unchanged';

/** Sums up what a corrected row closes. */
export function effectOf(intents: readonly Intent[]): CorrectionEffect {
  const transitions = intents.filter((intent) => intent.kind === 'transition');
  if (transitions.some(({ event }) => event === 'rerun')) return 'rerun';
  if (transitions.length > 0) return 'replaced';
  return intents.length > 0 ? 'resolved' : 'unchanged';
}
