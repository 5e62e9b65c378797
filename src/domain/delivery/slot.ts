import { goesFirst, guard, isAhead, newerRevision, type SlotMember, type Verdict } from './guard.js';
import { type Transition, transitionBy } from './intent.js';
import { isOnHold, type LearnerHold } from './learner-hold.js';

/** All published submissions of a slot. */
export interface Slot<S extends SlotMember = SlotMember> {
  readonly submissions: readonly S[];
  /** The hold of their learner; null: no hold, or they are about no learner. */
  readonly hold: LearnerHold | null;
  /** False where a newer revision is a further step and doesn't replace earlier ones. */
  readonly supersedes: boolean;
}

/** What the guards would say about one of the slot's submissions if it waited. */
export function verdictIn(slot: Slot, candidate: SlotMember): Verdict {
  return guard(candidate, peersOf(slot, candidate), isOnHold(slot.hold, candidate.id), slot.supersedes);
}

/** True when no guard would hold or replace one of the slot's submissions if it waited. */
export function wouldGo(slot: Slot, candidate: SlotMember): boolean {
  const { kind } = verdictIn(slot, candidate);
  return kind === 'go' || kind === 'blocked';
}

/** The transition of a waiting submission by its verdict; null where it may be sent, or has to wait on. */
export function verdictTransition(candidate: SlotMember, verdict: Verdict): Transition | null {
  switch (verdict.kind) {
    case 'go':
    case 'blocked':
      return null;
    case 'hold':
      return transitionBy(candidate, 'guarded', { cause: verdict.cause });
    case 'replace':
      return transitionBy(candidate, 'replaced', { cause: 'newer-revision', successorId: verdict.successor });
  }
}

/**
 * Finds the submission that goes first (null: the slot has none waiting), once `transitions` have held or replaced others.
 * `isBlocked`: it waits for a peer that is under way.
 */
export function headOf<S extends SlotMember>(slot: Slot<S>) {
  const transitions: Transition[] = [];
  let { submissions } = slot;
  for (;;) {
    const head = submissions
      .filter(({ state }) => state === 'waiting')
      .reduce<S | null>((first, peer) => (first && goesFirst(first, peer) ? first : peer), null);
    if (head === null) return { transitions, head, isBlocked: false };
    const verdict = verdictIn({ ...slot, submissions }, head);
    const transition = verdictTransition(head, verdict);
    if (transition === null) return { transitions, head, isBlocked: verdict.kind === 'blocked' };
    transitions.push(transition);
    const state = verdict.kind === 'hold' ? 'held' : 'replaced';
    submissions = submissions.map((one) => (one.id === head.id ? { ...one, state } : one));
  }
}

/** Claims a submission that may go, and replaces its earlier revisions that were never accepted. */
export function claimed(slot: Slot, candidate: SlotMember): Transition[] {
  const earlier = slot.supersedes ? peersOf(slot, candidate) : [];
  return [
    ...earlier
      .filter(
        ({ occurredAt, revision }) => occurredAt === candidate.occurredAt && revision <= candidate.revision,
      )
      .filter(({ state }) => state !== 'accepted' && state !== 'replaced' && state !== 'sending')
      .map((peer) => transitionBy(peer, 'replaced', { cause: 'newer-revision', successorId: candidate.id })),
    transitionBy(candidate, 'claimed'),
  ];
}

/** A drop with new submissions for the slot, this one perhaps among them, was published. */
export function afterPublication(slot: Slot, candidate: SlotMember): Transition | null {
  if (['sending', 'accepted', 'replaced'].includes(candidate.state)) return null;
  const newer = slot.supersedes ? newerRevision(candidate, peersOf(slot, candidate)) : null;
  if (newer) return transitionBy(candidate, 'replaced', { cause: 'newer-revision', successorId: newer.id });
  return candidate.state === 'waiting' ? verdictTransition(candidate, verdictIn(slot, candidate)) : null;
}

/** What would keep a submission from being sent at once if it were rerun. */
export type Obstacle =
  | { readonly kind: 'replaced'; readonly by: number }
  /** A peer that waits, or is being sent, goes first. */
  | { readonly kind: 'behind'; readonly id: number };

/** Applies the guards as if the submission had already been rerun; null: it would be sent. */
export function obstacleTo(slot: Slot, submission: SlotMember): Obstacle | null {
  const candidate: SlotMember = { ...submission, state: 'waiting', overrides: 'all' };
  const verdict = verdictIn(slot, candidate);
  if (verdict.kind === 'replace') return { kind: 'replaced', by: verdict.successor };
  if (verdict.kind !== 'blocked') return null;
  // A waiting peer doesn't go first if a guard would hold or replace it at its turn.
  const first = peersOf(slot, candidate).find(
    (peer) => isAhead(peer, candidate) && (peer.state === 'sending' || wouldGo(slot, peer)),
  );
  return first ? { kind: 'behind', id: first.id } : null;
}

/** The peer that goes before a waiting submission; null: none does. */
export function behind(slot: Slot, candidate: SlotMember): number | null {
  return peersOf(slot, candidate).find((peer) => isAhead(peer, candidate))?.id ?? null;
}

function peersOf<S extends SlotMember>(slot: Slot<S>, candidate: SlotMember): S[] {
  return slot.submissions.filter(({ id }) => id !== candidate.id);
}
