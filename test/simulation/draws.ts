import { type Random, seededRandom } from '../../src/sandbox/seeded-random.js';

/** Choices by chance that come out the same for the same seed. */
export interface Draws {
  /** From 0 up to, but not including, 1. */
  readonly random: Random;
  chance(probability: number): boolean;
  /** A whole number, both ends included. */
  between(least: number, most: number): number;
  /** As `between`, but each order of magnitude is as likely as the next. `least` is above 0. */
  magnitude(least: number, most: number): number;
  pick<T>(from: readonly [T, ...T[]]): T;
}

export function draws(seed: string): Draws {
  const random = seededRandom(seed);
  const between = (least: number, most: number) => least + Math.floor(random() * (most - least + 1));
  return {
    random,
    between,
    chance: (probability) => random() < probability,
    magnitude: (least, most) => Math.round(least * (most / least) ** random()),
    pick: (from) => from[between(0, from.length - 1)] ?? from[0],
  };
}
