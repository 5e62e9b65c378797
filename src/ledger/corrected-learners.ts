import type { Correction, Identified } from './corrections.js';

/** Who is who by now, as the corrections say. */
export interface CorrectedLearners {
  /** The learner that counts in this one's place (hex hash), through all corrections; null: this one does. */
  inPlaceOf(hash: string): Identified | null;
  /** The identifiers in whose place this learner (hex hash) counts. */
  formersOf(hash: string): readonly Identified[];
}

/** Reads the corrections as a whole: of A to B and B to C, both A and B are C. Throws where they go in a circle. */
export function correctedLearners(corrections: readonly Correction[]): CorrectedLearners {
  const next = new Map(corrections.map(({ old, now }) => [old.hash, now]));
  const last = (hash: string): Identified | null => {
    let found: Identified | null = null;
    for (let steps = 0; ; steps += 1) {
      const further = next.get(found?.hash ?? hash);
      if (further === undefined) return found;
      if (steps > next.size) throw new Error('the corrections of learners go in a circle');
      found = further;
    }
  };
  const formers = new Map<string, Identified[]>();
  for (const { old } of corrections) {
    const now = last(old.hash)?.hash ?? old.hash;
    formers.set(now, [...(formers.get(now) ?? []), old]);
  }
  return { inPlaceOf: last, formersOf: (hash) => formers.get(hash) ?? [] };
}
