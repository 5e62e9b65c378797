import type { DropCount, ReportedCause } from '../../documents/report.js';

/** Causes that are one cause to people: the same code and words, in one or several states. */
export interface CauseGroup extends Omit<ReportedCause, 'state'> {
  readonly states: readonly Pick<ReportedCause, 'state' | 'count'>[];
}

/** Groups causes, those with the most rows first. The example is that of the state with the most rows. */
export function causeGroups(causes: readonly ReportedCause[]): CauseGroup[] {
  const groups = new Map<string, CauseGroup>();
  for (const { state, ...cause } of causes) {
    const isRow = state === 'invalid';
    const key = JSON.stringify([isRow, cause.cause, cause.code, cause.reason, cause.remedy]);
    const known = groups.get(key) ?? { ...cause, count: 0, states: [] };
    groups.set(key, {
      ...known,
      count: known.count + cause.count,
      states: [...known.states, { state, count: cause.count }],
      drops: groups.has(key) ? added(known.drops, cause.drops) : cause.drops,
    });
  }
  return [...groups.values()].sort((a, b) => b.count - a.count);
}

/** The drops of both lists, each once, in the order in which they came in. */
function added(some: readonly DropCount[], others: readonly DropCount[]): DropCount[] {
  const drops = new Map(some.map((drop) => [drop.drop, drop]));
  for (const drop of others) {
    drops.set(drop.drop, { ...drop, count: drop.count + (drops.get(drop.drop)?.count ?? 0) });
  }
  return [...drops.values()].sort((a, b) => a.drop - b.drop);
}
