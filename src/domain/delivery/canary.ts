import { type CountCanary, type Intent, type Standing, transitionBy } from './intent.js';

/** When the first answers to a drop's rows say that its mapping is wrong. */
export interface CanaryRule {
  /** Answers that are looked at; 0: none. */
  readonly rows: number;
  readonly maxRejected: number;
}

/** How the first answers to a drop's rows stand. */
export interface CanaryCount {
  readonly answered: number;
  readonly refused: number;
  readonly isStopped: boolean;
}

/** A submission that was answered, with its drop. */
export interface AnsweredRow {
  readonly dropId: number;
  readonly environment: string;
  /** 1 where a person asked for it, which says nothing about the mapping. */
  readonly priority: number;
}

/**
 * Counts an answer among the first ones of its drop, which is stopped by one refusal too many; null where it isn't counted.
 * @param before null: it is the first one.
 */
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

/**
 * Holds rows of a stopped drop that wait without a person having asked for them. The drop is done with once nothing of it
 * is under way: a row that comes back is held as well.
 * @param areAll these are all that wait.
 */
export function heldWithDrop(
  dropId: number,
  waiting: readonly Standing[],
  areAll: boolean,
  isUnderWay: boolean,
): Intent[] {
  const transitions = waiting.map((row) => transitionBy(row, 'guarded', { cause: 'canary' }));
  return areAll && !isUnderWay ? [...transitions, { kind: 'end-canary', dropId }] : transitions;
}
