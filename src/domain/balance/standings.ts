import { ATTENTION_STATES, type State } from '../submission.js';

/** How many rows or submissions are in this state. */
export type Standings = ReadonlyMap<string, number>;

/** The state of a row or a submission, for people. */
export function standingName({ state, cause = '', code = '' }: Standing): string {
  const isPassing = UNNAMED.some((one) => one === state) || state === 'invalid';
  return isPassing || code === ''
    ? state
    : code === cause
      ? `${state} ${cause}`
      : `${state} ${cause} ${code}`;
}

export interface Standing {
  readonly state: State | 'invalid';
  readonly cause?: string;
  readonly code?: string;
}

/** States that are compared without their cause: a submission passes through them, with whatever cause it had before. */
const UNNAMED = ['waiting', 'sending', 'accepted'] as const satisfies readonly State[];

/** How many there are altogether. */
export function size(standings: Standings): number {
  return [...standings.values()].reduce((sum, count) => sum + count, 0);
}

/** The standings that need attention. */
export function openOf(standings: Standings): Standings {
  return new Map(
    [...standings].filter(([name]) => OPEN.some((state) => name === state || name.startsWith(`${state} `))),
  );
}

const OPEN = ['invalid', ...ATTENTION_STATES];

/** Standings that two ways of counting give differently, each with both counts. */
export function differences(
  one: Standings,
  other: Standings,
): { readonly name: string; readonly one: number; readonly other: number }[] {
  return [...new Set([...one.keys(), ...other.keys()])]
    .map((name) => ({ name, one: one.get(name) ?? 0, other: other.get(name) ?? 0 }))
    .filter((both) => both.one !== both.other);
}
