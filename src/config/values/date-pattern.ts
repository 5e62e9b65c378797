/** One part of a pattern: a part of the time, or literal text. */
export interface PatternPart {
  readonly kind: PatternKind | 'text';
  readonly letters: string;
}

/** What the letters of a pattern mean; their number says how many digits there are, or how a name is written. */
export type PatternKind =
  | 'year'
  | 'month'
  | 'month name'
  | 'day'
  | 'weekday'
  | 'hour'
  | 'hour of half a day'
  | 'minute'
  | 'second'
  | 'fraction'
  | 'half of the day'
  | 'zone';

/** Times written as one number, which looks like any other number and is therefore only read when declared. */
export const NUMBER_PATTERNS = [
  'epoch-seconds',
  'epoch-milliseconds',
  'excel-serial',
  'excel-serial-1904',
] as const;

export type NumberPattern = (typeof NUMBER_PATTERNS)[number];

/**
 * In the letters of Unicode (UTS #35); year and day may be in capitals. Unknown letters come out as text and are a
 * mistake.
 */
export function patternParts(pattern: string): readonly PatternPart[] {
  return [...pattern.matchAll(/'([^']*)'|([A-Za-z])\2*|[^A-Za-z']+|'/g)].map(([letters, quoted]) => {
    if (quoted !== undefined) return { kind: 'text', letters: quoted };
    return { kind: KINDS.find(([form]) => form.test(letters))?.[1] ?? 'text', letters };
  });
}

/** Why a text is not a pattern of times, as the end of a sentence; null when it is one. */
export function datePatternMistake(pattern: string): string | null {
  if ((NUMBER_PATTERNS as readonly string[]).includes(pattern)) return null;
  const unquoted = pattern.replace(/'[^']*'/g, '');
  if (unquoted.includes("'")) return 'has an apostrophe that is not closed';
  const stray = patternParts(unquoted).find((part) => part.kind === 'text' && /[A-Za-z]/.test(part.letters));
  if (stray) {
    return `has "${stray.letters}", which has no meaning; write text between apostrophes, and times with yyyy yy MM M MMM dd d HH H hh h mm ss SSS a EEE z, or use one of ${NUMBER_PATTERNS.join(', ')}`;
  }
  const kinds = patternParts(pattern)
    .map(({ kind }) => kind)
    .filter((kind) => kind !== 'text');
  const has = (...wanted: PatternKind[]) => wanted.some((kind) => kinds.includes(kind));
  const hasBoth = (one: PatternKind, other: PatternKind) => has(one) && has(other);
  const isRepeated = hasBoth('month', 'month name') || hasBoth('hour', 'hour of half a day');
  if (isRepeated || new Set(kinds).size < kinds.length) return 'has the same part twice';
  if (!has('year') || !has('month', 'month name'))
    return 'has no year (yyyy) or no month (MM is the month, mm the minute)';
  if (has('hour of half a day') !== has('half of the day')) return 'has one of hh and a without the other';
  if (has('hour', 'hour of half a day') && !has('day')) return 'has an hour but no day';
  if (has('minute') && !has('hour', 'hour of half a day')) return 'has minutes but no hour (MM is the month)';
  if (has('second') && !has('minute')) return 'has seconds but no minutes';
  if (has('fraction') && !has('second')) return 'has a fraction but no seconds';
  return null;
}

export function hasShortYear(pattern: string): boolean {
  return patternParts(pattern).some(({ kind, letters }) => kind === 'year' && letters.length === 2);
}

const KINDS: readonly (readonly [RegExp, PatternKind])[] = [
  [/^(?:yyyy|yy|YYYY|YY)$/, 'year'],
  [/^MM?$/, 'month'],
  [/^MMMM?$/, 'month name'],
  [/^(?:dd?|DD?)$/, 'day'],
  [/^E{1,4}$/, 'weekday'],
  [/^HH?$/, 'hour'],
  [/^hh?$/, 'hour of half a day'],
  [/^mm?$/, 'minute'],
  [/^ss?$/, 'second'],
  [/^S{1,9}$/, 'fraction'],
  [/^a$/, 'half of the day'],
  [/^(?:z{1,4}|Z{1,5}|x{1,5}|X{1,5}|VV)$/, 'zone'],
];
