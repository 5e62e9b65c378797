import { hash } from 'node:crypto';
import type { NormalisedRecord } from '../../../domain/record.js';
import { type Operation, occurrenceOf } from '../../../operations/operation.js';
import { OCCURRENCE_DIGITS, occurrenceDigits, timeIn } from './occurrence.js';
import { type RecordText, recordText } from './record-text.js';

/**
 * The hashes that identify a record in the ledger, as hex digits. A key is three pieces in sequence: the hash of its learner (16
 * digits), the hash of its subject (12: family of operations, environment, content) and when it occurred (12: a time, no hash).
 * So its first 28 digits are its slot, records of one slot sort by their times, and the one index on keys finds the rows of a
 * key, of a slot and of a learner.
 */
export interface RecordKeys {
  /** The learner, whatever the environment; null for a record about no learner. */
  readonly learner: string | null;
  readonly key: string;
  /** 16 digits: the hash of the fields that are sent. Only to be compared with the contents of the same key. */
  readonly content: string;
}

/** The hashes that distinguish a record from all others. */
export type RecordIdentity = Pick<RecordKeys, 'key' | 'content'>;

/**
 * The number of hex digits at the beginning of a key that are its learner's (or its group's, for records that may share a
 * request), and that are its slot's.
 */
export const LEARNER_DIGITS = 16;
export const SLOT_DIGITS = 28;
export const KEY_DIGITS = SLOT_DIGITS + OCCURRENCE_DIGITS;
export const CONTENT_DIGITS = 16;

/** The slot of a key. */
export function slotOf(key: string): string {
  return key.slice(0, SLOT_DIGITS);
}

/** The last digits of a key: its time. */
export function occurrencePart(key: string): string {
  return key.slice(SLOT_DIGITS);
}

/** When the record of a key occurred, as ISO time; null where records of its slot are ordered by arrival. */
export function occurredAt(key: string): string | null {
  return timeIn(occurrencePart(key));
}

/** Computes keys under one ledger's salt. */
export interface KeyMaker {
  /**
   * Keys of a record: the same for the same record, whatever its file, format, encoding or column order.
   * @param text the record's text, from a caller that has it already.
   */
  record(operation: Operation, environment: string, record: NormalisedRecord, text?: RecordText): RecordKeys;
  /** The hash of a learner's identifier. */
  learner(type: string, id: string): string;
}

/**
 * The tuples below are the contract of every key in every ledger: a change makes all history new. Their first
 * member is their version. They are JSON.
 */
export function keyMaker(salt: string): KeyMaker {
  const salted = saltedHash(salt);
  const learnerHash = rememberingLast((about) => salted(`["learner/2",${about}]`, LEARNER_DIGITS));
  const subjectHash = rememberingList((subject) =>
    salted(`["subject/2",${tuple(subject)}]`, SLOT_DIGITS - LEARNER_DIGITS),
  );
  const groupHash = rememberingLast((group) => salted(`["group/2",${group}]`, LEARNER_DIGITS));
  const groupOf = ({ family, sharing }: Operation, environment: string, record: NormalisedRecord) =>
    sharing === undefined ? NOBODY : groupHash(tuple([family, environment, ...sharing.group(record)]));
  return {
    learner: (type, id) => learnerHash(`${json(type)},${json(id)}`),
    record(operation, environment, record, text = recordText(operation, record)) {
      const learner = operation.learner(record);
      const learnerKey = learner === null ? null : learnerHash(`${json(learner.type)},${json(learner.id)}`);
      const { family, kind, name } = operation;
      const subject = subjectHash([family, environment, ...operation.slot(record)]);
      const about = learnerKey ?? groupOf(operation, environment, record);
      return {
        learner: learnerKey,
        key: about + subject + occurrenceDigits(occurrenceOf(operation, record)),
        // Learner and subject are left out, because contents are compared within a key.
        content: salted(
          kind === 'occurrences' ? `["content/2",${text.sent}]` : `["content/2",${json(name)},${text.sent}]`,
          CONTENT_DIGITS,
        ),
      };
    },
  };
}

/** The texts as the members of a JSON array. */
function tuple(texts: readonly string[]): string {
  let written = '';
  for (const text of texts) written += written === '' ? json(text) : `,${json(text)}`;
  return written;
}

function json(value: string | number | boolean | null): string {
  return typeof value === 'string' && !NEEDS_ESCAPE.test(value) ? `"${value}"` : JSON.stringify(value);
}

/** Characters that JSON escapes; most texts have none. */
const NEEDS_ESCAPE = /[^ !#-[\]-~]/;

/** Stands for the learner in the key of a record about no learner and of no group. */
const NOBODY = '0'.repeat(LEARNER_DIGITS);

/** Courses are few; where there are more than this, or each occurs once, the cache must cost nothing. */
const MOST_REMEMBERED = 2_000;

/** The function with its last result cached: many exports are sorted by learner. */
function rememberingLast(hashOf: (text: string) => string): (text: string) => string {
  let lastText: string | null = null;
  let lastHash = '';
  return (text) => {
    if (text !== lastText) {
      lastHash = hashOf(text);
      lastText = text;
    }
    return lastHash;
  };
}

/**
 * The function with its results cached. Lists are looked up member by member: most consist of the same few texts, and joining
 * them would cost as much as the hash.
 */
function rememberingList(hashOf: (list: readonly string[]) => string): (list: readonly string[]) => string {
  const first: Remembered = { hash: null, next: new Map() };
  let count = 0;
  return (list) => {
    let found = first;
    for (const member of list) {
      let next = found.next.get(member);
      if (next === undefined) {
        next = { hash: null, next: new Map() };
        found.next.set(member, next);
      }
      found = next;
    }
    if (found.hash !== null) return found.hash;
    found.hash = hashOf(list);
    const { hash } = found;
    count += 1;
    if (count > MOST_REMEMBERED) {
      first.next.clear();
      count = 0;
    }
    return hash;
  };
}

/** The cached results of the lists that begin with the same members. */
interface Remembered {
  /** The hash of the list that ends here; null: not computed yet. */
  hash: string | null;
  readonly next: Map<string, Remembered>;
}

/**
 * The function that hashes a message under a ledger's salt: the first hex digits of the SHA-256 of salt and message in sequence.
 * Without the remaining digits nobody can compute the hash of a longer message, which is the purpose of HMAC's second hash.
 */
function saltedHash(salt: string): (message: string, digits: number) => string {
  if (!/^[0-9a-f]{64}$/.test(salt)) throw new Error('the salt must be 64 hex digits');
  return (message, digits) => hash('sha256', salt + message, 'hex').slice(0, digits);
}
