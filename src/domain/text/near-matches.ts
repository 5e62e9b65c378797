import { isEmailType, type Learner } from '../learners/learner.js';

/** An identifier that a person may have meant by another one, and how the two differ. Personal. */
export interface NearMatch {
  readonly id: string;
  readonly why: Difference;
}

/** Nearest first. Punctuation includes a plus tag, case and zeros in front; one letter includes two swapped. */
export const DIFFERENCES = ['punctuation', 'one-letter', 'domain'] as const;

export type Difference = (typeof DIFFERENCES)[number];

const MAX_MATCHES = 3;

/** A digit replaced by another is another person, not a typo. Reads the known learners once. */
export async function nearMatches(
  unknown: readonly Learner[],
  candidates: Iterable<Learner> | AsyncIterable<Learner>,
): Promise<NearMatch[][]> {
  const wanted = unknown.map((learner) => ({ parts: partsOf(learner), found: [] as Ranked[] }));
  const index = new Map<string, (typeof wanted)[number][]>();
  for (const one of wanted) {
    for (const key of new Set(wantedKeys(one.parts))) index.set(key, [...(index.get(key) ?? []), one]);
  }
  const types = new Set(unknown.map(({ type }) => type));
  for await (const learner of candidates) {
    if (!types.has(learner.type)) continue;
    const parts = partsOf(learner);
    for (const key of keysOf(parts)) {
      for (const one of index.get(key) ?? []) keepNearest(one.found, compare(one.parts, parts));
    }
  }
  return wanted.map(({ found }) => found.map(({ id, why }) => ({ id, why })));
}

interface Ranked extends NearMatch {
  readonly rank: number;
}

interface Parts {
  readonly type: string;
  readonly id: string;
  readonly isEmail: boolean;
  /** Before the @ of an address; the whole of any other identifier. */
  readonly name: string;
  readonly domain: string;
  /** The name without what people add and leave out. */
  readonly bare: string;
}

function partsOf({ type, id }: Learner): Parts {
  const isEmail = isEmailType(type);
  const at = isEmail ? id.lastIndexOf('@') : -1;
  const name = at === -1 ? id : id.slice(0, at);
  const domain = at === -1 ? '' : id.slice(at + 1);
  const bare = isEmail
    ? name.replace(/\+.*$/, '').replace(/[._-]/g, '')
    : id
        .toLowerCase()
        .replace(/[\s._/-]/g, '')
        .replace(/^0+(?=.)/, '');
  return { type, id, isEmail, name, domain, bare };
}

/** Two near identifiers share a key, since one change can't be both before and behind the middle of the name. */
function keysOf(parts: Parts): string[] {
  return [bareKey(parts), ...halfKeys(parts, parts.name.length)];
}

/** The name may be one character longer or shorter than the known one. */
function wantedKeys(wanted: Parts): string[] {
  const { length } = wanted.name;
  const lengths = [length - 1, length, length + 1].filter((size) => size > 0);
  return [bareKey(wanted), ...lengths.flatMap((size) => halfKeys(wanted, size))];
}

function bareKey({ type, bare }: Parts): string {
  return `${type} = ${bare}`;
}

/** The character in the middle is left out of both halves, because a swap may reach over it. */
function halfKeys({ type, name, domain }: Parts, knownLength: number): string[] {
  const before = Math.floor(knownLength / 2);
  const behind = knownLength - before - 1;
  return [
    `${type} ${knownLength}^${name.slice(0, before)}@${domain}`,
    `${type} ${knownLength}$${name.slice(name.length - behind)}@${domain}`,
  ];
}

/** null: they are equal or not near. */
function compare(a: Parts, b: Parts): Ranked | null {
  if (a.type !== b.type || a.id === b.id) return null;
  const sameDomain = a.domain === b.domain;
  if (a.bare === b.bare) {
    if (sameDomain) return { id: b.id, why: 'punctuation', rank: 0 };
    const rank = a.name !== b.name ? 3 : isOneChange(a.domain, b.domain, true) ? 1 : 2;
    return { id: b.id, why: 'domain', rank };
  }
  if (!sameDomain || !isOneChange(a.name, b.name, a.isEmail)) return null;
  return { id: b.id, why: 'one-letter', rank: 1 };
}

/**
 * Or two neighbours swapped. A digit replaced by another doesn't count; without `digitsToo` no change of a digit
 * does, since numbers in sequence belong to many people.
 */
function isOneChange(a: string, b: string, digitsToo: boolean): boolean {
  if (Math.abs(a.length - b.length) > 1) return false;
  const shorter = Math.min(a.length, b.length);
  let start = 0;
  while (start < shorter && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < shorter - start && a.at(-1 - end) === b.at(-1 - end)) end += 1;
  const [left, right] = [a.slice(start, a.length - end), b.slice(start, b.length - end)];
  const digits = (left + right).replace(/\D/g, '').length;
  if (digits > 0 && (!digitsToo || (digits === left.length + right.length && left.length === right.length))) {
    return false;
  }
  if (left.length <= 1 && right.length <= 1) return true;
  return left.length === 2 && left === [...right].reverse().join('');
}

function keepNearest(nearest: Ranked[], match: Ranked | null): void {
  if (match === null || nearest.some(({ id }) => id === match.id)) return;
  nearest.push(match);
  nearest.sort((a, b) => a.rank - b.rank || (a.id < b.id ? -1 : 1));
  nearest.length = Math.min(nearest.length, MAX_MATCHES);
}
