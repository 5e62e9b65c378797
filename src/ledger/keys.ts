import { hash } from 'node:crypto';
import type { NormalisedRecord } from '../domain/record.js';
import type { Operation } from '../operations/operation.js';
import { type RecordText, recordText } from './record-text.js';

/**
 * The hashes that identify a record in the ledger, each 32 hex digits of HMAC-SHA256s. A slot is half of its learner's
 * hash and half of its subject's (what it is about, environment, content). It begins with its learner's first 8 digits,
 * or those of the group of records that may share a request, and a key with its slot's first 14, so that one index on
 * keys also finds the rows of a slot, a learner or a group; the other 18 digits of a key are its own.
 */
export interface RecordKeys {
  /** The person, whatever the environment; null for a record about nobody. */
  readonly learner: string | null;
  readonly slot: string;
  readonly key: string;
  readonly content: string;
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
 * member is their version. They are JSON; a key's names learner and subject by their hashes.
 */
export function keyMaker(salt: string): KeyMaker {
  const hmac = hmacOf(salt);
  const learnerHash = rememberingLast((about) => hmac(`["learner/1",${about}]`));
  const subjectHash = remembering((subject) => hmac(`["subject/1",${subject}]`));
  const groupHash = rememberingLast((group) => hmac(`["group/1",${group}]`));
  const groupOf = ({ family, sharing }: Operation, environment: string, record: NormalisedRecord) =>
    sharing === undefined
      ? NOBODY
      : groupHash([family, environment, ...sharing.group(record)].map(json).join(','));
  return {
    learner: (type, id) => learnerHash(`${json(type)},${json(id)}`),
    record(operation, environment, record, text = recordText(operation, record)) {
      const learner = operation.learner(record);
      const learnerKey = learner === null ? null : learnerHash(`${json(learner.type)},${json(learner.id)}`);
      const { family, kind, name } = operation;
      const subject = subjectHash([family, environment, ...operation.slot(record)].map(json).join(','));
      const about = `${learnerKey ?? groupOf(operation, environment, record)}${subject}`;
      const slot = slotOf(about);
      const occurrence = hmac(`["key/1","${about}",${json(operation.occurrence(record))}]`);
      return {
        learner: learnerKey,
        slot,
        key: slot.slice(0, SLOT_DIGITS) + occurrence.slice(SLOT_DIGITS),
        // Only compared with the contents of the same key, so that it needn't say whose and of what it is.
        content: hmac(
          kind === 'occurrences' ? `["content/1",${text.sent}]` : `["content/1",${json(name)},${text.sent}]`,
        ),
      };
    },
  };
}

function json(value: string | number | boolean | null): string {
  return typeof value === 'string' && !NEEDS_ESCAPE.test(value) ? `"${value}"` : JSON.stringify(value);
}

/** What JSON writes otherwise than it stands; most texts have nothing of it. */
const NEEDS_ESCAPE = /[^ !#-[\]-~]/;

/** Hex digits with which a slot begins like its learner, and a key like its slot. */
export const LEARNER_DIGITS = 8;
export const SLOT_DIGITS = 14;

/** What the slot of a record about nobody, and of no group, has of its learner. */
const NOBODY = '0'.repeat(32);

/** Half of the learner's hash and half of the subject's, given one behind the other: both show where a key begins. */
function slotOf(about: string): string {
  return about.slice(0, LEARNER_DIGITS) + about.slice(32, 48) + about.slice(LEARNER_DIGITS, 16);
}

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

/** The function, working out only once what it is asked again and again. */
function remembering(hashOf: (text: string) => string): (text: string) => string {
  const known = new Map<string, string>();
  return (text) => {
    const before = known.get(text);
    if (before !== undefined) return before;
    if (known.size === MOST_REMEMBERED) known.clear();
    const hash = hashOf(text);
    known.set(text, hash);
    return hash;
  };
}

const BLOCK_BYTES = 64;
const DIGEST_BYTES = 32;
const KEY_HEX_DIGITS = 32;

/**
 * HMAC-SHA256 with the salt's 64 hex digits, as ASCII, for its key: exactly one block, and ASCII stays ASCII under
 * both pads, so the inner message can be one string. Three times as fast as `createHmac` (a test compares them). Gives the
 * first 32 hex digits.
 */
export function hmacOf(salt: string): (message: string) => string {
  if (!/^[0-9a-f]{64}$/.test(salt)) throw new Error('the salt must be 64 hex digits');
  const key = Buffer.from(salt, 'latin1');
  const inner = String.fromCharCode(...key.map((byte) => byte ^ 0x36));
  const outer = Buffer.alloc(BLOCK_BYTES + DIGEST_BYTES);
  for (const [index, byte] of key.entries()) outer[index] = byte ^ 0x5c;
  return (message) => {
    outer.write(hash('sha256', inner + message, 'hex'), BLOCK_BYTES, 'hex');
    return hash('sha256', outer, 'hex').slice(0, KEY_HEX_DIGITS);
  };
}
