import type { HeldCause } from '../cause.js';
import type { State } from '../submission.js';

/** A submission as the guards see it. */
export interface Guarded {
  readonly id: number;
  /** Hex; equal keys are revisions of one occurrence. */
  readonly key: string;
  readonly revision: number;
  /** Text that is in the order of the times; null where those of its slot are ordered by arrival. */
  readonly occurredAt: string | null;
  readonly state: State;
  readonly pass: 'amended' | 'all' | null;
}

/** What the guards say about a submission that waits. */
export type Verdict =
  | { readonly kind: 'go' }
  /** Not yet: another of its slot is on its way or goes first. */
  | { readonly kind: 'blocked' }
  | { readonly kind: 'hold'; readonly cause: HeldCause }
  | { readonly kind: 'replace'; readonly successor: number };

/**
 * Decides whether a waiting submission may be sent now, from the others of its slot and whether its learner is on
 * hold. The order of the questions matters: what is superseded is never held, what is held blocks nobody.
 * @param mates the other published submissions of the slot.
 * @param supersedes false where a newer revision is a further step and doesn't take the place of earlier ones.
 */
export function guard(
  candidate: Guarded,
  mates: readonly Guarded[],
  learnerOnHold: boolean,
  supersedes = true,
): Verdict {
  const newer = supersedes ? newerRevision(candidate, mates) : null;
  if (newer) return { kind: 'replace', successor: newer.id };

  if (learnerOnHold && candidate.pass !== 'all') return { kind: 'hold', cause: 'learner-unknown' };

  const amends = mates.some(
    (mate) => mate.key === candidate.key && mate.revision < candidate.revision && mate.state === 'accepted',
  );
  if (amends && candidate.pass === null) return { kind: 'hold', cause: 'amended' };

  // The platform probably keeps the last write: an older completion must not undo a newer one.
  const outOfOrder = mates.some(
    (mate) => mate.state === 'accepted' && isAfter(mate.occurredAt, candidate.occurredAt),
  );
  if (outOfOrder && candidate.pass !== 'all') return { kind: 'hold', cause: 'out-of-order' };

  const blocked = mates.some(
    (mate) => mate.state === 'sending' || (mate.state === 'waiting' && goesFirst(mate, candidate)),
  );
  return blocked ? { kind: 'blocked' } : { kind: 'go' };
}

/** The newest revision that takes the candidate's place; null: there is none, or what there is was itself given up. */
export function newerRevision<T extends Guarded>(candidate: Guarded, mates: readonly T[]): T | null {
  return mates
    .filter((mate) => mate.key === candidate.key && mate.revision > candidate.revision)
    .filter((mate) => mate.state !== 'dismissed' && mate.state !== 'replaced')
    .reduce<T | null>((newest, mate) => (newest && newest.revision > mate.revision ? newest : mate), null);
}

/** True when `mate` is to be sent before `candidate` of the same slot: revisions, then times, then arrival. */
export function goesFirst(mate: Guarded, candidate: Guarded): boolean {
  if (mate.key === candidate.key) return mate.revision < candidate.revision;
  if (isAfter(candidate.occurredAt, mate.occurredAt)) return true;
  if (isAfter(mate.occurredAt, candidate.occurredAt)) return false;
  return mate.id < candidate.id;
}

/** True where both times are known and `a` is the later. */
export function isAfter(a: string | null, b: string | null): boolean {
  return a !== null && b !== null && a > b;
}
