import { ATTENTION_STATES, type State } from '../submission.js';

export type StateCounts = ReadonlyMap<string, number>;

export function stateKey({ state, cause = '', code = '' }: BookState): string {
  const isPassing = UNNAMED.some((one) => one === state) || state === 'invalid';
  return isPassing || code === ''
    ? state
    : code === cause
      ? `${state} ${cause}`
      : `${state} ${cause} ${code}`;
}

export interface BookState {
  readonly state: State | 'invalid';
  readonly cause?: string;
  readonly code?: string;
}

/** Compared without their cause: a submission passes through them, with whatever cause it had before. */
const UNNAMED = ['waiting', 'sending', 'accepted'] as const satisfies readonly State[];

export function size(counts: StateCounts): number {
  return [...counts.values()].reduce((sum, count) => sum + count, 0);
}

export function openOf(counts: StateCounts): StateCounts {
  return new Map(
    [...counts].filter(([name]) => OPEN.some((state) => name === state || name.startsWith(`${state} `))),
  );
}

const OPEN = ['invalid', ...ATTENTION_STATES];

/** Standings that two ways of counting give differently, each with both counts. */
export function differences(
  one: StateCounts,
  other: StateCounts,
): { readonly name: string; readonly one: number; readonly other: number }[] {
  return [...new Set([...one.keys(), ...other.keys()])]
    .map((name) => ({ name, one: one.get(name) ?? 0, other: other.get(name) ?? 0 }))
    .filter((both) => both.one !== both.other);
}
