import type { Field, Operation } from '../operations/operation.js';
import { compactHeader, normaliseHeader, splitGroup } from './header-text.js';

/** Why a header may be a field. */
export interface AliasMatch {
  readonly field: string;
  /** The alias as the operation writes it, the key of `Field.implied`. */
  readonly alias: string;
  /** Lower is better; equal ranks cannot be told apart. */
  readonly rank: number;
}

/** Aliases found behind a group ("User - Email") come after all that stand alone. */
const GROUPED_RANK = 1_000;

/**
 * The fields that a header names, at most one entry for each field. Expects normalised text. A field's own name is
 * the last of its aliases.
 */
export function aliasMatches(text: string, operation: Operation): readonly AliasMatch[] {
  if (text === '') return [];
  const index = aliasIndex(operation);
  const direct = index.get(compactHeader(text));
  if (direct) return direct;
  const grouped = splitGroup(text);
  if (!grouped) return [];
  return (index.get(compactHeader(grouped.tail)) ?? [])
    .filter((match) => whyNotMapped(text, fieldNamed(operation, match.field)) === null)
    .map((match) => ({ ...match, rank: match.rank + GROUPED_RANK }));
}

/** Words that say what a date is when it is not a completion. */
const OTHER_DATES: readonly (readonly [RegExp, string])[] = [
  [/\b(?:start|starts|started|begin|began|beginn)\b/, 'a start, not a completion'],
  [
    /\b(?:enrol|enroll|enrolled|enrolment|enrollment|registered|registration)\b/,
    'an enrolment, not a completion',
  ],
  [/\b(?:assigned|assignment)\b/, 'an assignment, not a completion'],
  [/\b(?:due|deadline)\b/, 'a deadline, not a completion'],
  [/\b(?:expires|expired|expiry|expiration|valid until)\b/, 'an expiry, not a completion'],
  [/\b(?:last|first) (?:viewed|active|access|accessed|login)\b/, 'an activity, not a completion'],
];

const PROGRESS =
  /\b(?:progress|percent(?:age)? (?:complete|completed)|completion (?:rate|percentage))\b|% (?:marked )?complete|(?:complete|completed|completion) %/;

const OTHER_PEOPLE =
  /\b(?:manager|supervisor|approver|instructor|trainer|teacher|assessor|author|creator|owner|requester|assigner|coach|mentor)\b/;

/**
 * Why a header that looks like the field is deliberately not taken for it, a few plain words; null when nothing
 * speaks against it. Expects normalised text.
 */
export function whyNotMapped(text: string, field: Field): string | null {
  if (field.kind === 'timestamp' && !/complet|finish|achiev/.test(text)) {
    return OTHER_DATES.find(([words]) => words.test(text))?.[1] ?? null;
  }
  if (field.kind === 'score' && PROGRESS.test(text)) return 'progress, not a score';
  if (field.kind === 'learner' && OTHER_PEOPLE.test(text)) return 'another person, not the learner';
  return null;
}

const INDEXES = new WeakMap<Operation, ReadonlyMap<string, readonly AliasMatch[]>>();

function aliasIndex(operation: Operation): ReadonlyMap<string, readonly AliasMatch[]> {
  const known = INDEXES.get(operation);
  if (known) return known;
  const index = new Map<string, AliasMatch[]>();
  for (const field of operation.fields) {
    for (const [rank, alias] of [...field.aliases, field.name].entries()) {
      const key = compactHeader(normaliseHeader(alias).text);
      const matches = index.get(key) ?? [];
      if (!matches.some((match) => match.field === field.name))
        matches.push({ field: field.name, alias, rank });
      index.set(key, matches);
    }
  }
  INDEXES.set(operation, index);
  return index;
}

function fieldNamed(operation: Operation, name: string): Field {
  return operation.fields.find((field) => field.name === name) as Field;
}
