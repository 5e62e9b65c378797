import { isEmailType, type Learner } from '../learners/learner.js';

/** An identifier that a person may have meant by another one, and how the two differ. Personal. */
export interface NearMatch {
  readonly id: string;
  readonly why: Difference;
}

/** Nearest first. Punctuation includes a plus tag, case and zeros in front; one letter includes a moved one. */
export const DIFFERENCES = ['punctuation', 'one-letter', 'domain'] as const;

export type Difference = (typeof DIFFERENCES)[number];

const MAX_MATCHES = 3;

/** Other digits are another person, not a typo. Reads the known learners once. */
export async function nearMatches(
  unknown: readonly Learner[],
  candidates: Iterable<Learner> | AsyncIterable<Learner>,
): Promise<NearMatch[][]> {
  const targets = unknown.map((learner) => ({ learner, matches: [] as NearMatch[] }));
  const index = new Map<string, (typeof targets)[number][]>();
  for (const one of targets) {
    for (const [, key] of keysOf(one.learner)) index.set(key, [...(index.get(key) ?? []), one]);
  }
  const types = new Set(unknown.map(({ type }) => type));
  for await (const learner of candidates) {
    if (!types.has(learner.type)) continue;
    const { id } = learner;
    for (const [why, key] of keysOf(learner)) {
      for (const one of index.get(key) ?? [])
        if (one.learner.id !== id) keepNearest(one.matches, { id, why });
    }
  }
  return targets.map(({ matches }) => matches);
}

/**
 * Two learners that share a key are near each other, by the difference of the first one that they share: with one
 * letter left out of either, or of both, their names are equal. Letters and signs are left out, digits never.
 */
function keysOf({ type, id }: Learner): [Difference, string][] {
  const isEmail = isEmailType(type);
  const end = isEmail && id.includes('@') ? id.lastIndexOf('@') : id.length;
  const [name, domain] = [id.slice(0, end), id.slice(end)];
  const untagged = isEmail ? name.replace(/\+.*$/, '') : name;
  const bare = untagged
    .toLowerCase()
    .replace(/[\s._/-]/g, '')
    .replace(/^0+(?=.)/, '');
  const keys: [Difference, string][] = [
    ['punctuation', `${type}=${bare}${domain}`],
    ['one-letter', `${type} ${id}`],
  ];
  for (let at = 0; at < end; at += 1) {
    if (!/\d/.test(name.charAt(at)))
      keys.push(['one-letter', `${type} ${id.slice(0, at)}${id.slice(at + 1)}`]);
  }
  return [...keys, ['domain', `${type}~${bare}`]];
}

function keepNearest(nearest: NearMatch[], match: NearMatch): void {
  if (nearest.some(({ id }) => id === match.id)) return;
  nearest.push(match);
  const rank = ({ why }: NearMatch) => DIFFERENCES.indexOf(why);
  nearest.sort((a, b) => rank(a) - rank(b) || (a.id < b.id ? -1 : 1));
  nearest.length = Math.min(nearest.length, MAX_MATCHES);
}
