import { type Guarded, goesFirst, guard, newerRevision, type Verdict } from './guard.js';
import { type Transition, transitionBy } from './intent.js';
import { isOnHold, type LearnerHold } from './learner-hold.js';

/** All published submissions of a slot, with what else says which of them may go. */
export interface Slot<S extends Guarded = Guarded> {
  readonly submissions: readonly S[];
  /** Of the learner that they are about; null: there is none, or they are about nobody. */
  readonly hold: LearnerHold | null;
  /** False where a newer revision is a further step and doesn't take the place of earlier ones. */
  readonly supersedes: boolean;
}

/** What the guards say about one of the slot's submissions, were it to wait. */
export function verdictIn(slot: Slot, candidate: Guarded): Verdict {
  return guard(candidate, peersOf(slot, candidate), isOnHold(slot.hold, candidate.id), slot.supersedes);
}

/** True when no guard keeps one of the slot's submissions back for good, were it to wait. */
export function wouldGo(slot: Slot, candidate: Guarded): boolean {
  const { kind } = verdictIn(slot, candidate);
  return kind === 'go' || kind === 'blocked';
}

/** The transition that a verdict asks for on a submission that waits; null where it may be sent, or has to wait on. */
export function verdictTransition(candidate: Guarded, verdict: Verdict): Transition | null {
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

/** Which submission of a slot goes first. */
export interface SlotHead<S> {
  /** Those that went before it, as far as a guard holds them or a newer revision takes their place. */
  readonly aside: readonly Transition[];
  /** null: nothing of the slot waits any more. */
  readonly head: S | null;
  /** It waits for another that is under way. */
  readonly isBlocked: boolean;
}

/** Finds the submission that goes first, once what a guard holds or what was superseded has been moved aside. */
export function headOf<S extends Guarded>(slot: Slot<S>): SlotHead<S> {
  const aside: Transition[] = [];
  let { submissions } = slot;
  for (;;) {
    const head = submissions
      .filter(({ state }) => state === 'waiting')
      .reduce<S | null>((first, peer) => (first && goesFirst(first, peer) ? first : peer), null);
    if (head === null) return { aside, head, isBlocked: false };
    const verdict = verdictIn({ ...slot, submissions }, head);
    const transition = verdictTransition(head, verdict);
    if (transition === null) return { aside, head, isBlocked: verdict.kind === 'blocked' };
    aside.push(transition);
    const state = verdict.kind === 'hold' ? 'held' : 'replaced';
    submissions = submissions.map((one) => (one.id === head.id ? { ...one, state } : one));
  }
}

/** Claims a submission that may go: earlier revisions that were never accepted make room for it. */
export function claimed(slot: Slot, candidate: Guarded): Transition[] {
  const earlier = slot.supersedes ? peersOf(slot, candidate) : [];
  return [
    ...earlier
      .filter(({ key, revision }) => key === candidate.key && revision <= candidate.revision)
      .filter(({ state }) => state !== 'accepted' && state !== 'replaced' && state !== 'sending')
      .map((peer) => transitionBy(peer, 'replaced', { cause: 'newer-revision', successorId: candidate.id })),
    transitionBy(candidate, 'claimed'),
  ];
}

/**
 * What becomes of one of the slot's submissions once a drop is published that has brought others, or itself: it makes room
 * for a newer revision if it was never sent, and waits no longer if a guard holds it.
 */
export function afterPublication(slot: Slot, candidate: Guarded): Transition | null {
  if (['sending', 'accepted', 'replaced'].includes(candidate.state)) return null;
  const newer = slot.supersedes ? newerRevision(candidate, peersOf(slot, candidate)) : null;
  if (newer) return transitionBy(candidate, 'replaced', { cause: 'newer-revision', successorId: newer.id });
  return candidate.state === 'waiting' ? verdictTransition(candidate, verdictIn(slot, candidate)) : null;
}

/** What would keep a submission from being sent at once, were it rerun. */
export type Obstacle =
  /** A newer revision takes its place. */
  | { readonly kind: 'replaced'; readonly by: number }
  /** One that waits, or is being sent, goes first. */
  | { readonly kind: 'behind'; readonly id: number };

/** Asks the guards as if a submission waited already, let pass by a person; null: it would be sent. */
export function obstacleTo(slot: Slot, submission: Guarded): Obstacle | null {
  const candidate: Guarded = { ...submission, state: 'waiting', overrides: 'all' };
  const verdict = verdictIn(slot, candidate);
  if (verdict.kind === 'replace') return { kind: 'replaced', by: verdict.successor };
  if (verdict.kind !== 'blocked') return null;
  // A peer that waits, and that a guard would hold or replace when its turn comes, doesn't go first.
  const first = peersOf(slot, candidate).find(
    (peer) =>
      peer.state === 'sending' ||
      (peer.state === 'waiting' && goesFirst(peer, candidate) && wouldGo(slot, peer)),
  );
  return first ? { kind: 'behind', id: first.id } : null;
}

/** The submission of the slot that one which waits is behind; null: none. */
export function behind(slot: Slot, candidate: Guarded): number | null {
  const ahead = peersOf(slot, candidate).find(
    (peer) => peer.state === 'sending' || (peer.state === 'waiting' && goesFirst(peer, candidate)),
  );
  return ahead?.id ?? null;
}

function peersOf<S extends Guarded>(slot: Slot<S>, candidate: Guarded): S[] {
  return slot.submissions.filter(({ id }) => id !== candidate.id);
}
