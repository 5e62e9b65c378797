import { createHash } from 'node:crypto';

/** Numbers from 0 up to, but not including, 1. */
export type Random = () => number;

/** A generator that gives the same numbers for the same seed, so that a run with faults can be repeated exactly. */
export function seededRandom(seed: number | string): Random {
  let drawn = 0;
  return () => {
    drawn += 1;
    const digest = createHash('sha256').update(`${seed}/${drawn}`).digest();
    return digest.readUInt32BE(0) / 2 ** 32;
  };
}
