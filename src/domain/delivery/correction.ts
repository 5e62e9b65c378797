import type { RowRef } from '../row-ref.js';
import { type DecidedSubmission, rerun } from './decision.js';
import { type Intent, transitionBy } from './intent.js';
import type { LineResult } from './judge.js';

/** `left`: unchanged. */
export const ROW_OUTCOMES = ['made', 'repeated', 'skipped', 'invalid', 'left'] as const;

export type RowOutcome = (typeof ROW_OUTCOMES)[number];

export function noOutcomes(): Record<RowOutcome, number> {
  return { made: 0, repeated: 0, skipped: 0, invalid: 0, left: 0 };
}

/** The submissions that the row's records became, and those that they repeat. */
export type RowResult =
  | { readonly kind: 'records'; readonly created: readonly number[]; readonly repeated: readonly number[] }
  /** `none`: neither a record nor a row that says why. */
  | { readonly kind: 'skipped' | 'invalid' | 'none' };

/** @param kind what the row is now. @param records as in `resultsByLine`; absent: the row has none. */
export function rowResultOf(
  kind: string,
  { created, repeated }: Pick<LineResult, 'created' | 'repeated'> = { created: [], repeated: [] },
): RowResult {
  if (kind === 'invalid' || kind === 'skipped') return { kind };
  return kind === 'record' ? { kind: 'records', created, repeated } : { kind: 'none' };
}

/** Of a submission that a dry run would create. */
export const NOT_YET = 0;

/** What of a row still waits for a person or for its delivery: the row itself where it is invalid, or one of its submissions. */
export type OpenMember =
  | { readonly kind: 'invalid' }
  | { readonly kind: 'submission'; readonly submission: DecidedSubmission };

/**
 * What the row became replaces its submissions; one that it repeats is sent again, as by a rerun; an invalid row is
 * resolved by what it became, or because it is skipped. A row that is no record has no effect.
 * @param repeated submissions that this row or another one corrected with it repeats: none of these is replaced.
 */
export function closedBy(
  row: RowRef,
  result: RowResult,
  open: readonly OpenMember[],
  repeated: ReadonlySet<number> = new Set(result.kind === 'records' ? result.repeated : []),
): Intent[] {
  if (result.kind === 'invalid' || result.kind === 'none') return [];
  const successor = result.kind === 'records' ? (result.created.at(-1) ?? result.repeated[0] ?? null) : null;
  return open.flatMap((member): Intent[] => {
    if (member.kind === 'invalid') {
      return [{ kind: 'resolve-row', row, submissionId: successor }];
    }
    if (successor === null) return [];
    const { submission } = member;
    if (repeated.has(submission.id)) return [rerun(submission, 'returned') ?? []].flat();
    return [transitionBy(submission, 'replaced', { cause: 'corrected', successorId: successor })];
  });
}

export function outcomeOf(result: RowResult, open: readonly OpenMember[]): RowOutcome {
  if (result.kind === 'records') return result.created.length > 0 ? 'made' : 'repeated';
  return result.kind !== 'none' && open.some(({ kind }) => kind === 'invalid') ? result.kind : 'left';
}

/** True where a row still needs attention: it is no record, or it was closed before it could be corrected. */
export function needsPerson({ invalid, left }: Readonly<Record<RowOutcome, number>>): boolean {
  return invalid + left > 0;
}

export const CORRECTION_EFFECTS = ['rerun', 'replaced', 'resolved', 'unchanged'] as const;

export type CorrectionEffect = (typeof CORRECTION_EFFECTS)[number];

export function effectOf(intents: readonly Intent[]): CorrectionEffect {
  const transitions = intents.filter((intent) => intent.kind === 'transition');
  if (transitions.some(({ event }) => event === 'rerun')) return 'rerun';
  if (transitions.length > 0) return 'replaced';
  return intents.length > 0 ? 'resolved' : 'unchanged';
}
