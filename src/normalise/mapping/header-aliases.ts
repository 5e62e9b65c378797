import { words } from '../../config/words/words.js';
import type { Field, Operation } from '../../operations/operation.js';
import { compactHeader, normaliseHeader, splitGroup } from '../header/header-text.js';
import { zoneHeaderRank } from '../time/zone/zone-notes.js';
import { hasWordOf } from '../values/word-pattern.js';

export interface AliasMatch {
  readonly field: string;
  /** The kind of header, the key of `Field.implied`; the field's own name where it is that. */
  readonly kind: string;
  /** Lower is better; nothing decides between equal ranks. */
  readonly rank: number;
}

/** Aliases found behind a group ("User - Email") come after all without one. */
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
  if (rank !== null && zone && whyNotMapped(text, zone) === null)
    return [{ field: zone.name, kind: 'time-zone', rank }];
  const grouped = splitGroup(text);
  if (!grouped) return [];
  return (index.get(compactHeader(grouped.tail)) ?? [])
    .filter(({ field }) =>
      operation.fields.every((other) => other.name !== field || whyNotMapped(text, other) === null),
    )
    .map((match) => ({ ...match, rank: match.rank + GROUPED_RANK }));
}

/** What a date may be that is none of a completion, by the words of its header. "Completion" beside them makes it one. */
const OTHER_DATES = Object.entries({
  start: 'a start, not a completion',
  enrolment: 'an enrolment, not a completion',
  assignment: 'an assignment, not a completion',
  deadline: 'a deadline, not a completion',
  expiry: 'an expiry, not a completion',
  activity: 'an activity, not a completion',
  'person-date': 'a date of the person, not a completion',
  'record-date': 'a date of the record, not a completion',
}).map(([list, reason]) => ({ isNamed: hasWordOf(`other-headers.${list}`), reason }));

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

/**
 * Why a header that looks like the field's is deliberately not taken for it, in a few plain words; null when it may be. Expects
 * normalised text.
 */
export function whyNotMapped(text: string, field: Field): string | null {
  const spaced = text.replaceAll(' - ', ' ');
  const otherDate = () => OTHER_DATES.find(({ isNamed }) => isNamed(spaced))?.reason ?? null;
  if (field.kind === 'timestamp') {
    const reason = otherDate();
    if (isPlanned(spaced) && (isCompletion(spaced) || isDate(spaced)))
      return reason ?? 'a plan, not a completion';
    return isCompletion(spaced) ? null : reason;
  }
  if (field.kind === 'score' && (isProgress(spaced) || SHARE_OF_COURSE.test(spaced)))
    return 'progress, not a score';
  if (field.kind === 'zone' && isPerson(spaced)) return 'the zone of a person, not of the times';
  if (field.kind === 'zone' && !namesCompletion(spaced) && otherDate() !== null)
    return 'the zone of other times';
  if (field.kind === 'learner' && isOtherPerson(spaced)) return 'another person, not the learner';
  return null;
}

const INDEXES = new WeakMap<Operation, ReadonlyMap<string, readonly AliasMatch[]>>();

function aliasIndex(operation: Operation): ReadonlyMap<string, readonly AliasMatch[]> {
  const cached = INDEXES.get(operation);
  if (cached) return cached;
  const index = new Map<string, AliasMatch[]>();
  for (const field of operation.fields) {
    for (const [rank, { kind, name }] of namesOf(field).entries()) {
      const key = compactHeader(normaliseHeader(name).text);
      const matches = index.get(key) ?? [];
      if (!matches.some((match) => match.field === field.name))
        matches.push({ field: field.name, kind, rank });
      index.set(key, matches);
    }
  }
  INDEXES.set(operation, index);
  return index;
}

/** The headers that mean the field, best first. */
export function namesOf(field: Field): readonly { readonly kind: string; readonly name: string }[] {
  return [
    ...field.headers.flatMap((kind) => words(`headers.${kind}`).map((name) => ({ kind, name }))),
    { kind: field.name, name: field.name },
  ];
}
