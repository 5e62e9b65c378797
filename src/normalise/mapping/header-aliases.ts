import { words } from '../../config/words/words.js';
import { onceFor } from '../../domain/process/once.js';
import type { Field, Operation } from '../../operations/operation.js';
import { compactHeader, headerKey, splitGroup } from '../header/header-text.js';
import { zoneHeaderRank } from '../time/zone/zone-notes.js';
import { hasWordOf } from '../values/word-pattern.js';

export interface AliasMatch {
  readonly field: string;
  /** The kind of header, the key of `Field.implied`; the field's own name where it is that. */
  readonly kind: string;
  /** Lower is better; nothing decides between equal ranks. */
  readonly rank: number;
}

/** Aliases found after a group ("User - Email") come after all without one. */
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
  const rank = zoneHeaderRank(text);
  const zone = rank === null ? undefined : operation.fields.find(({ kind }) => kind === 'zone');
  // Last, because it takes longer than all the rest, and words of refused rows are looked up as well.
  if (rank !== null && zone && !isOther(text, zone)) return [{ field: zone.name, kind: 'time-zone', rank }];
  const grouped = splitGroup(text);
  if (!grouped) return [];
  return (index.get(compactHeader(grouped.tail)) ?? [])
    .filter(({ field }) => operation.fields.every((other) => other.name !== field || !isOther(text, other)))
    .map((match) => ({ ...match, rank: match.rank + GROUPED_RANK }));
}

const isOtherDate = hasWordOf(
  ...['start', 'enrolment', 'assignment', 'deadline', 'expiry', 'activity', 'person-date', 'record-date'].map(
    (list) => `other-headers.${list}`,
  ),
);
const isPlanned = hasWordOf('other-headers.planned');
const isDate = hasWordOf('other-headers.date');
const isCompletion = hasWordOf('other-headers.completion');
const isProgress = hasWordOf('other-headers.progress');
const isOtherPerson = hasWordOf('other-headers.other-people');
const isPerson = hasWordOf('other-headers.person');
const SHARE_OF_COURSE = /% (?:marked )?complet|(?:complete|completed|completion) %/;

/** True for a header that says it is about the completion. Expects normalised text. */
export function namesCompletion(text: string): boolean {
  return isCompletion(text) || text.startsWith('compl ');
}

/** True for a header that looks like the field's, and names another date, person or result. Expects normalised text. */
export function isOther(text: string, { kind }: Field): boolean {
  const spaced = text.replaceAll(' - ', ' ');
  switch (kind) {
    case 'timestamp':
      return isCompletion(spaced)
        ? isPlanned(spaced)
        : isOtherDate(spaced) || (isPlanned(spaced) && isDate(spaced));
    case 'score':
      return isProgress(spaced) || SHARE_OF_COURSE.test(spaced);
    case 'zone':
      return isPerson(spaced) || (!namesCompletion(spaced) && isOtherDate(spaced));
    case 'learner':
      return isOtherPerson(spaced);
    default:
      return false;
  }
}

const aliasIndex = onceFor((operation: Operation): ReadonlyMap<string, readonly AliasMatch[]> => {
  const index = new Map<string, AliasMatch[]>();
  for (const field of operation.fields) {
    for (const [rank, { kind, name }] of namesOf(field).entries()) {
      const key = headerKey(name);
      const matches = index.get(key) ?? [];
      if (!matches.some((match) => match.field === field.name))
        matches.push({ field: field.name, kind, rank });
      index.set(key, matches);
    }
  }
  return index;
});

/** The headers that mean the field, best first. */
export function namesOf(field: Field): readonly { readonly kind: string; readonly name: string }[] {
  return [
    ...field.headers.flatMap((kind) => words(`headers.${kind}`).map((name) => ({ kind, name }))),
    { kind: field.name, name: field.name },
  ];
}
