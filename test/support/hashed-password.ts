import { randomBytes, scryptSync } from 'node:crypto';
import { passwordHashText } from '../../src/domain/access/password-hash.js';

/** The cheapest that is read: half of what Registrar itself takes, and still 60 ms of a processor. */
const COST = { n: 16_384, r: 8, p: 1 };

/** A password's hash, made once for all tests of a process. */
export function hashedPassword(password: string): string {
  const made = HASHES.get(password) ?? hashed(password);
  HASHES.set(password, made);
  return made;
}

function hashed(password: string): string {
  const { n, r, p } = COST;
  const salt = randomBytes(16);
  const hash = scryptSync(password.normalize('NFC'), salt, 32, { N: n, r, p, maxmem: 2 ** 26 });
  return passwordHashText({ ...COST, salt, hash });
}

const HASHES = new Map<string, string>();
