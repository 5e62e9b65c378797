import type { Scope } from '../ledger/books.js';
import type { Ledger } from '../ledger/query.js';
import { acceptedLearners, type UnknownLearner, unknownLearners } from '../ledger/unknown-learners.js';
import { type NearMatch, nearMatches } from '../normalise/near-matches.js';

/** A learner whom the platform doesn't know, with the accepted ones that may be meant. Personal. */
export interface UnknownWithNear extends UnknownLearner {
  readonly near: readonly NearMatch[];
}

/**
 * Learners whom the platform doesn't know, those with the most rows of the scope first, each with the nearest of those it has
 * accepted something of in the same environment. Goes through the ledger once for each environment.
 * @param among hashes: of these learners alone.
 */
export function unknownWithNear(
  ledger: Ledger,
  limit: number,
  among?: readonly string[],
  scope: Scope = {},
): readonly UnknownWithNear[] {
  const unknown = unknownLearners(ledger, limit, among, scope);
  const environments = new Set(unknown.map(({ environment }) => environment));
  const near = new Map<UnknownLearner, NearMatch[]>();
  for (const environment of environments) {
    const ours = unknown.filter((one) => one.environment === environment);
    const found = nearMatches(
      ours.map(({ learner }) => learner),
      acceptedLearners(ledger, environment),
    );
    for (const [index, one] of ours.entries()) near.set(one, found[index] ?? []);
  }
  return unknown.map((one) => ({ ...one, near: near.get(one) ?? [] }));
}
