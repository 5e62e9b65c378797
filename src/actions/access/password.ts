import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { memoryOf, type PasswordHash, passwordHashText } from '../../domain/access/password-hash.js';

/** 32 MB, and 120 ms of a shared core of 2026, measured; twice the memory takes twice the time. */
const COST = { n: 32_768, r: 8, p: 1 };

const SALT_BYTES = 16;
const HASH_BYTES = 32;

/** The hash of a password, as registrar.yaml holds it. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const hash = await derived(password, { ...COST, salt, hash: Buffer.alloc(HASH_BYTES) });
  return passwordHashText({ ...COST, salt, hash });
}

/** Compares in constant time. */
export async function isPassword(password: string, stored: PasswordHash): Promise<boolean> {
  return timingSafeEqual(await derived(password, stored), stored.hash);
}

/** A hash that no password has. Comparing it for unknown names takes as long as for known ones, so timing reveals no names. */
export function dummyHash(like: PasswordHash | null): PasswordHash {
  const { n, r, p } = like ?? COST;
  return { n, r, p, salt: randomBytes(SALT_BYTES), hash: randomBytes(HASH_BYTES) };
}

/** The same letters may be typed as other bytes on another machine: ü is one character or two. */
function derived(password: string, { n, r, p, salt, hash }: PasswordHash): Promise<Buffer> {
  // Node's own bound is just below what this cost takes.
  const options = { N: n, r, p, maxmem: 2 * memoryOf({ n, r }) };
  return new Promise((resolve, reject) => {
    scrypt(password.normalize('NFC'), salt, hash.length, options, (error, key) => {
      if (error === null) resolve(key);
      else reject(error);
    });
  });
}
