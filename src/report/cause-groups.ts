import type { Cause } from './report.js';

/** Causes that are one to people: the same code and words, in one state or in several. */
export interface CauseGroup extends Omit<Cause, 'state'> {
  readonly states: readonly Pick<Cause, 'state' | 'count'>[];
}

/** Groups causes, those with the most rows first. The example is that of the state with the most rows. */
export function causeGroups(causes: readonly Cause[]): CauseGroup[] {
  const groups = new Map<string, CauseGroup>();
  for (const { state, ...cause } of causes) {
    const isRow = state === 'invalid';
    const key = JSON.stringify([isRow, cause.code, cause.reason, cause.remedy]);
    const known = groups.get(key) ?? { ...cause, count: 0, states: [] };
    groups.set(key, {
      ...known,
      count: known.count + cause.count,
      states: [...known.states, { state, count: cause.count }],
    });
  }
  return [...groups.values()].sort((a, b) => b.count - a.count);
}
