import { hash } from 'node:crypto';
import type { NormalisedRecord } from '../domain/record.js';
import type { Operation } from '../operations/operation.js';

/**
 * The hashes that identify a record in the ledger, each 32 hex digits of HMAC-SHA256s. A slot begins with its learner's
 * first 8 digits and a key with its slot's first 14, so that one index on keys also finds a slot's and a learner's rows;
 * keys of different learners still differ in 128 bits, occurrences within a slot in 72.
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
  /** Keys of a record: the same for the same record, whatever its file, format, encoding or column order. */
  record(operation: Operation, environment: string, record: NormalisedRecord): RecordKeys;
  /** The hash of a learner's identifier. */
  learner(type: string, id: string): string;
}

/**
 * The tuples below are the contract of every key in every ledger: a change makes all history new. Their first
 * member is their version. They are JSON, put together from parts that several of them share.
 */
export function keyMaker(salt: string): KeyMaker {
  const hmac = hmacOf(salt);
  const learnerHash = (type: string, id: string) => hmac(`["learner/1",${json(type)},${json(id)}]`);
  return {
    learner: learnerHash,
    record(operation, environment, record) {
      const learner = operation.learner(record);
      const about = learner === null ? 'null,null' : `${json(learner.type)},${json(learner.id)}`;
      const subject = `${json(operation.name)},${json(environment)},${about}`;
      const slot = `[${[subject, ...operation.slot(record).map(json)].join(',')}]`;
      const learnerKey = learner === null ? null : hmac(`["learner/1",${about}]`);
      const slotKey = beginning(learnerKey ?? NOBODY, LEARNER_DIGITS, hmac(`["slot/1",${slot}]`));
      const key = hmac(`["key/1",${slot},${json(operation.occurrence(record))}]`);
      return {
        learner: learnerKey,
        slot: slotKey,
        key: beginning(slotKey, SLOT_DIGITS, key),
        content: hmac(`["content/1",[${subject}],[${sentFields(operation, record)}]]`),
      };
    },
  };
}

/** The fields that are sent, in the operation's order, whatever order the record has them in. */
function sentFields(operation: Operation, record: NormalisedRecord): string {
  let fields = '';
  for (const { name, sent } of operation.fields) {
    const value = record.fields[name];
    if (!sent || value === undefined) continue;
    fields += `${fields === '' ? '' : ','}["${name}",${json(value)}]`;
  }
  return fields;
}

function json(value: string | number | boolean | null): string {
  return typeof value === 'string' && !NEEDS_ESCAPE.test(value) ? `"${value}"` : JSON.stringify(value);
}

/** What JSON writes otherwise than it stands; most texts have nothing of it. */
const NEEDS_ESCAPE = /[^ !#-[\]-~]/;

/** Hex digits that a slot takes from its learner, and a key from its slot. */
export const LEARNER_DIGITS = 8;
export const SLOT_DIGITS = 14;

/** What the slot of a record about nobody begins with. */
const NOBODY = '0'.repeat(LEARNER_DIGITS);

/** The hash, its first digits replaced by those of another. */
function beginning(other: string, digits: number, hash: string): string {
  return other.slice(0, digits) + hash.slice(digits);
}

const BLOCK_BYTES = 64;
const DIGEST_BYTES = 32;
const KEY_HEX_DIGITS = 32;

/**
 * HMAC-SHA256 with the salt's 64 hex digits, as ASCII, for its key: exactly one block, and ASCII stays ASCII under
 * both pads, so the inner message can be one string. Three times as fast as `createHmac` (a test compares them).
 */
function hmacOf(salt: string): (message: string) => string {
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
