import type { HeldCause } from '../cause.js';
import type { State } from '../submission.js';

export interface SlotMember {
  readonly id: number;
  readonly revision: number;
  /** ISO time: equal ones are revisions of one occurrence; so are all of a slot ordered by arrival (null). */
  readonly occurredAt: string | null;
  readonly state: State;
  readonly overrides: 'amended' | 'all' | null;
}

export type Verdict =
  | { readonly kind: 'go' }
  /** Not yet: another submission of its slot is being sent or goes first. */
  | { readonly kind: 'blocked' }
  | { readonly kind: 'hold'; readonly cause: HeldCause }
  | { readonly kind: 'replace'; readonly successor: number };

/**
 * The order of the questions matters: a superseded submission is never held, and a held one blocks no other.
 * @param peers the other published submissions of the slot.
 * @param supersedes false where a newer revision is a further step.
 */
export function guard(
  candidate: SlotMember,
  peers: readonly SlotMember[],
  learnerOnHold: boolean,
  supersedes = true,
): Verdict {
  const newer = supersedes ? newerRevision(candidate, peers) : null;
  if (newer) return { kind: 'replace', successor: newer.id };

  if (learnerOnHold && candidate.overrides !== 'all') return { kind: 'hold', cause: 'learner-unknown' };

  const amends = peers.some(
    (peer) =>
      peer.occurredAt === candidate.occurredAt &&
      peer.revision < candidate.revision &&
      peer.state === 'accepted',
  );
  if (amends && candidate.overrides === null) return { kind: 'hold', cause: 'amended' };

  // The platform probably keeps the last write: an older completion must not undo a newer one.
  const outOfOrder = peers.some(
    (peer) => peer.state === 'accepted' && isAfter(peer.occurredAt, candidate.occurredAt),
  );
  if (outOfOrder && candidate.overrides !== 'all') return { kind: 'hold', cause: 'out-of-order' };

  return peers.some((peer) => isAhead(peer, candidate)) ? { kind: 'blocked' } : { kind: 'go' };
}

/** null: there is no newer one, or all newer ones were dismissed or replaced. */
export function newerRevision<T extends SlotMember>(candidate: SlotMember, peers: readonly T[]): T | null {
  return peers
    .filter((peer) => peer.occurredAt === candidate.occurredAt && peer.revision > candidate.revision)
    .filter((peer) => peer.state !== 'dismissed' && peer.state !== 'replaced')
    .reduce<T | null>((newest, peer) => (newest && newest.revision > peer.revision ? newest : peer), null);
}

/** True while `candidate` has to wait for `peer` of its slot, which is being sent, or waits and goes first. */
export function isAhead(peer: SlotMember, candidate: SlotMember): boolean {
  return peer.state === 'sending' || (peer.state === 'waiting' && goesFirst(peer, candidate));
}

/** True when `peer` is to be sent before `candidate` of the same slot: by times, and of one time by revisions. */
export function goesFirst(peer: SlotMember, candidate: SlotMember): boolean {
  if (peer.occurredAt === candidate.occurredAt) return peer.revision < candidate.revision;
  return isAfter(candidate.occurredAt, peer.occurredAt);
}

/** True where both times are known and `a` is the later. */
export function isAfter(a: string | null, b: string | null): boolean {
  return a !== null && b !== null && a > b;
}
