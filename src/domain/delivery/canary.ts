import { type CountCanary, type Intent, type SubmissionState, transitionBy } from './intent.js';

/** The first answers to a drop's rows show that its mapping is wrong. */
export interface CanaryRule {
  readonly rows: number;
  readonly maxRejected: number;
}

export interface CanaryCount {
  readonly answered: number;
  readonly refused: number;
  readonly isStopped: boolean;
}

export interface AnsweredRow {
  readonly dropId: number;
  readonly environment: string;
  /** 1 where an operator requested it, which proves nothing about the mapping. */
  readonly priority: number;
}

/** null where the answer isn't counted. @param before null: this is the first answer. */
export function counted(
  { dropId, environment, priority }: AnsweredRow,
  state: 'accepted' | 'rejected',
  before: CanaryCount | null,
  rule: CanaryRule,
): CountCanary | null {
  if (priority === 1 || before?.isStopped) return null;
  const answered = (before?.answered ?? 0) + 1;
  if (answered > rule.rows) return null;
  const refused = (before?.refused ?? 0) + (state === 'rejected' ? 1 : 0);
  return {
    kind: 'count-canary',
    dropId,
    environment,
    answered,
    refused,
    isStopped: refused > rule.maxRejected,
  };
}

/** Except those that an operator requested. @param areAll these are all the waiting rows. */
export function heldWithDrop(
  dropId: number,
  waiting: readonly SubmissionState[],
  areAll: boolean,
  isUnderWay: boolean,
): Intent[] {
  const transitions = waiting.map((row) => transitionBy(row, 'guarded', { cause: 'canary' }));
  return areAll && !isUnderWay ? [...transitions, { kind: 'end-canary', dropId }] : transitions;
}
