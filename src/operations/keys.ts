import { hash } from 'node:crypto';
import type { Learner } from '../domain/learners/learner.js';
import type { Content } from '../domain/record.js';
import type { Operation } from './operation.js';

/** What identifies a record in the ledger, as far as it isn't the same for all records of a drop. Hashes are 16 hex digits. */
export interface RecordKeys {
  /** Hash of the learner's identifier; null for a record about no learner. */
  readonly learner: string | null;
  /** Hash of the content's identifier. */
  readonly content: string;
  /** ISO time that makes it this occurrence; null where records of a slot are ordered by arrival. */
  readonly occurredAt: string | null;
  /** Hash of all that is sent. Only to be compared with the digests of the same key. */
  readonly digest: string;
}

/** Where the records of a drop go. */
export interface RecordTarget {
  readonly operation: Operation;
  readonly environment: string;
}

/**
 * A record's idempotency key as one text, for people and programs: learner, content, environment, family of operations and time.
 * In the ledger these are columns.
 */
export function keyText(
  { operation, environment }: RecordTarget,
  { learner, content, occurredAt }: Omit<RecordKeys, 'digest'>,
): string {
  return [learner ?? NOBODY, content, environment, operation.family, occurredAt ?? ''].join('/');
}

/** A key as one text, which distinguishes it from the others of its drop. */
export function keyInDrop({ learner, content, occurredAt }: Omit<RecordKeys, 'digest'>): string {
  return `${learner ?? NOBODY}/${content}/${occurredAt ?? ''}`;
}

/** Replaces the learner's hash where there is no learner. */
export const NOBODY = '0'.repeat(16);

/** Computes hashes under one ledger's salt: the same for the same thing, whatever the file, format, encoding or column order. */
export interface KeyMaker {
  learner(type: string, id: string): string;
  content(content: Content): string;
  /** @param sent the record's other fields that are sent, as `recordText` writes them. */
  digest(target: RecordTarget, keys: Omit<RecordKeys, 'digest'>, sent: string): string;
}

/**
 * The tuples below are the contract of every key in every ledger: a change makes all history new. Their first member is their
 * version. They are JSON.
 */
export function keyMaker(salt: string): KeyMaker {
  const salted = saltedHash(salt);
  let lastLearner = { type: '', id: '', hash: '' };
  const contents = new Map<string, Content & { readonly hash: string }>();
  return {
    learner(type, id) {
      // Many exports are sorted by learner.
      if (id === lastLearner.id && type === lastLearner.type) return lastLearner.hash;
      lastLearner = { type, id, hash: salted(JSON.stringify(['learner/3', type, id])) };
      return lastLearner.hash;
    },
    content(content) {
      const { type, idType, id, part } = content;
      const cached = contents.get(id);
      if (cached?.part === part && cached.idType === idType && cached.type === type) return cached.hash;
      const hash = salted(JSON.stringify(['content/3', type, idType, id, part]));
      if (contents.size >= MAX_REMEMBERED) contents.clear();
      contents.set(id, { ...content, hash });
      return hash;
    },
    digest: ({ operation, environment }, { learner, content, occurredAt }, sent) =>
      salted(
        `["sent/3","${operation.name}",${JSON.stringify(environment)},"${learner ?? ''}","${content}","${occurredAt ?? ''}",${sent}]`,
      ),
  };
}

/** Courses are few; where there are more than this, or each occurs once, the cache must cost nothing. */
const MAX_REMEMBERED = 2_000;

/**
 * The function that hashes a message under a ledger's salt: the first 16 hex digits of the SHA-256 of salt and message in
 * sequence. Without the remaining digits the hash of a longer message can't be computed, which is the purpose of HMAC's
 * second hash.
 */
function saltedHash(salt: string): (message: string) => string {
  if (!/^[0-9a-f]{64}$/.test(salt)) throw new Error('the salt must be 64 hex digits');
  return (message) => hash('sha256', salt + message, 'hex').slice(0, 16);
}

/** A record ready to be written, with its keys. Personal. */
export interface PreparedRecord {
  readonly keys: RecordKeys;
  /** null where it is about no learner. */
  readonly learner: Learner | null;
  readonly content: Content;
  /** Its other fields that are sent, as `recordText` writes them. */
  readonly text: string;
  /** Its keys under each former identifier of its learner; absent: there is none. */
  readonly formers?: readonly RecordKeys[];
}
