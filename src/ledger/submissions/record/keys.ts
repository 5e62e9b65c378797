import { hash } from 'node:crypto';
import type { NormalisedRecord } from '../../../domain/record.js';
import { type Operation, occurrenceOf } from '../../../operations/operation.js';
import { OCCURRENCE_DIGITS, occurrenceDigits, timeIn } from './occurrence.js';
import { type RecordText, recordText } from './record-text.js';

/**
 * What identifies a record in the ledger, as hex digits. A key is three pieces one behind the other: the hash of its learner
 * (16 digits), the hash of its subject (12: what it is about, environment, content) and when it occurred (12: a time, no
 * hash). So its first 28 digits are its slot, records of one slot are in the order of their times, and the one index on keys
 * finds the rows of a key, of a slot and of a learner.
 */
export interface RecordKeys {
  /** The person, whatever the environment; null for a record about nobody. */
  readonly learner: string | null;
  readonly key: string;
  /** 16 digits: what is sent of the record. Only to be compared with the contents of the same key. */
  readonly content: string;
}

/** What tells a record from all others. */
export type RecordIdentity = Pick<RecordKeys, 'key' | 'content'>;

/** Hex digits with which a key begins like its learner, or the group of records that may share a request, and like its slot. */
export const LEARNER_DIGITS = 16;
export const SLOT_DIGITS = 28;
export const KEY_DIGITS = SLOT_DIGITS + OCCURRENCE_DIGITS;
export const CONTENT_DIGITS = 16;

/** The slot of a key. */
export function slotOf(key: string): string {
  return key.slice(0, SLOT_DIGITS);
}

/** The last digits of a key, which are its time. */
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
   * @param text the record's, from a caller that has it already.
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
        // It needn't say whose and of what it is, as it is compared within a key.
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

/** What JSON writes otherwise than it stands; most texts have nothing of it. */
const NEEDS_ESCAPE = /[^ !#-[\]-~]/;

/** What stands for the learner in the key of a record about nobody, and of no group. */
const NOBODY = '0'.repeat(LEARNER_DIGITS);

/** Courses are few; where there are more, or none comes twice, remembering must cost nothing. */
const MOST_REMEMBERED = 2_000;

/** The function, working out only once what it is asked several times in a row: many exports are sorted by learner. */
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
 * The function, working out only once what it is asked again and again. Lists are looked up member by member: most are the same
 * few texts, and a text made of them would cost as much as its hash.
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

/** What is known of the lists that begin with the same members. */
interface Remembered {
  /** Of the list that ends here; null: nobody has asked. */
  hash: string | null;
  readonly next: Map<string, Remembered>;
}

/**
 * The function that hashes a message under a ledger's salt: SHA-256 of both, one behind the other, and of that the first hex
 * digits. What is cut off keeps anybody from working out the hash of a longer message, which is what HMAC hashes twice for.
 */
export function saltedHash(salt: string): (message: string, digits: number) => string {
  if (!/^[0-9a-f]{64}$/.test(salt)) throw new Error('the salt must be 64 hex digits');
  return (message, digits) => hash('sha256', salt + message, 'hex').slice(0, digits);
}
