import type { Learner } from './learner.js';

/** An identifier that is wrong or no longer in use, and the one that counts instead. Personal. */
export interface Correction {
  readonly old: IdentifiedLearner;
  /** This identifier may have been corrected itself: see `correctedLearners`. */
  readonly now: IdentifiedLearner;
}

export interface IdentifiedLearner extends Learner {
  readonly hash: string;
}

/** Applies all corrections together: with A to B and B to C, both A and B are C. Throws where they form a circle. */
export function correctedLearners(corrections: readonly Correction[]) {
  const next = new Map(corrections.map(({ old, now }) => [old.hash, now]));
  const last = (hash: string): IdentifiedLearner | null => {
    let latest: IdentifiedLearner | null = null;
    for (let steps = 0; ; steps += 1) {
      const further = next.get(latest?.hash ?? hash);
      if (further === undefined) return latest;
      if (steps > next.size) throw new Error('the corrections of learners go in a circle');
      latest = further;
    }
  };
  const formers = new Map<string, IdentifiedLearner[]>();
  for (const { old } of corrections) {
    const now = last(old.hash)?.hash ?? old.hash;
    formers.set(now, [...(formers.get(now) ?? []), old]);
  }
  return {
    /** Through all corrections; null: this one counts. */
    inPlaceOf: last,
    formersOf: (hash: string): readonly IdentifiedLearner[] => formers.get(hash) ?? [],
  };
}

/** Why one identifier can't count instead of another; null: it can. */
export type MappingProblem = 'same' | 'circle' | 'forgotten';

/** null: it can be made. @param suppressed hashes of forgotten learners. */
export function mappingProblem(
  correction: Correction,
  existing: readonly Correction[],
  suppressed: ReadonlySet<string>,
): MappingProblem | null {
  const { old, now: proposed } = correction;
  if (proposed.hash === old.hash) return 'same';
  const now = currentLearner(
    correction,
    existing.filter((other) => other.old.hash !== old.hash),
  );
  if (now.hash === old.hash) return 'circle';
  return [old, proposed, now].some(({ hash }) => suppressed.has(hash)) ? 'forgotten' : null;
}

/** The learner that counts in the end: the new identifier may have been corrected before. */
export function currentLearner({ now }: Correction, others: readonly Correction[]): IdentifiedLearner {
  return correctedLearners(others).inPlaceOf(now.hash) ?? now;
}

/** With those that pairs connect with them, in both directions; sorted. */
export function connectedWith(
  hashes: readonly string[],
  pairs: readonly (readonly [string, string])[],
): string[] {
  const connected = new Set(hashes);
  for (let before = -1; before !== connected.size; ) {
    before = connected.size;
    for (const [one, other] of pairs) {
      if (connected.has(one)) connected.add(other);
      else if (connected.has(other)) connected.add(one);
    }
  }
  return [...connected].sort();
}

/** With their corrected identifiers, and all former identifiers of both. */
export function inAllPlaces(
  learners: readonly IdentifiedLearner[],
  corrections: readonly Correction[],
): readonly IdentifiedLearner[] {
  const corrected = correctedLearners(corrections);
  return learners.flatMap((learner) => {
    const now = corrected.inPlaceOf(learner.hash);
    return [learner, ...(now ? [now] : []), ...corrected.formersOf(now?.hash ?? learner.hash)];
  });
}
