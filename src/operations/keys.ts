import { hash } from 'node:crypto';
import type { Learner } from '../domain/learners/learner.js';
import type { Content } from '../domain/record.js';
import type { Operation } from './operation.js';

/** Hashes are 16 hex digits. */
export interface RecordKeys {
  /** null for a record about no learner. */
  readonly learner: string | null;
  readonly content: string;
  /** ISO time; null where records of a slot are ordered by arrival. */
  readonly occurredAt: string | null;
  /** Hash of all that is sent. Only to be compared with the digests of the same key. */
  readonly digest: string;
}

/** Where the records of a drop go. */
export interface RecordTarget {
  readonly operation: Operation;
  readonly environment: string;
}

/** A record's idempotency key for people and programs; in the ledger these are columns. */
export function keyText(
  { operation, environment }: RecordTarget,
  { learner, content, occurredAt }: Omit<RecordKeys, 'digest'>,
): string {
  return [learner ?? ZERO_HASH, content, environment, operation.family, occurredAt ?? ''].join('/');
}

/** Distinguishes a key from the others of its drop. */
export function keyInDrop({ learner, content, occurredAt }: Omit<RecordKeys, 'digest'>): string {
  return `${learner ?? ZERO_HASH}/${content}/${occurredAt ?? ''}`;
}

/** Replaces the learner's hash where there is no learner. */
export const ZERO_HASH = '0'.repeat(16);

/** Under one ledger's salt: the same hash for the same thing, whatever the file, format, encoding or column order. */
export type KeyMaker = ReturnType<typeof keyMaker>;

/** The tuples are the contract of every key in every ledger: a change makes all history new. */
export function keyMaker(salt: string) {
  const salted = saltedHash(salt);
  let lastLearner = { type: '', id: '', hash: '' };
  const contents = new Map<string, Content & { readonly hash: string }>();
  return {
    learner(type: string, id: string): string {
      // Many exports are sorted by learner.
      if (id === lastLearner.id && type === lastLearner.type) return lastLearner.hash;
      lastLearner = { type, id, hash: salted(JSON.stringify(['learner/3', type, id])) };
      return lastLearner.hash;
    },
    content(content: Content): string {
      const { type, idType, id, part } = content;
      const cached = contents.get(id);
      if (cached?.part === part && cached.idType === idType && cached.type === type) return cached.hash;
      const hash = salted(JSON.stringify(['content/3', type, idType, id, part]));
      if (contents.size >= MAX_REMEMBERED) contents.clear();
      contents.set(id, { ...content, hash });
      return hash;
    },
    /** @param sent the record's other fields that are sent, as `recordText` writes them. */
    digest(target: RecordTarget, keys: Omit<RecordKeys, 'digest'>, sent: string): string {
      const { learner, content, occurredAt } = keys;
      const start = `"sent/3","${target.operation.name}",${JSON.stringify(target.environment)}`;
      return salted(`[${start},"${learner ?? ''}","${content}","${occurredAt ?? ''}",${sent}]`);
    },
  };
}

/** Courses are few; where there are more than this, or each occurs once, the cache must cost nothing. */
const MAX_REMEMBERED = 2_000;

/**
 * The first 16 hex digits of the SHA-256 of salt and message. Without the other digits the hash of a longer message
 * can't be computed, which is the purpose of HMAC's second hash.
 */
function saltedHash(salt: string): (message: string) => string {
  if (!/^[0-9a-f]{64}$/.test(salt)) throw new Error('the salt must be 64 hex digits');
  return (message) => hash('sha256', salt + message, 'hex').slice(0, 16);
}

/** Personal. */
export interface PreparedRecord {
  readonly keys: RecordKeys;
  /** null where it is about no learner. */
  readonly learner: Learner | null;
  readonly content: Content;
  /** As `recordText` writes its other fields that are sent. */
  readonly text: string;
  /** Under each former identifier of its learner; absent: there is none. */
  readonly formers?: readonly RecordKeys[];
}
