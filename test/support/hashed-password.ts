import { hashPassword } from '../../src/actions/access/password.js';

/** A password's hash, made once for all tests of a process: each takes a tenth of a second of a processor. */
export function hashedPassword(password: string): Promise<string> {
  const made = HASHES.get(password) ?? hashPassword(password);
  HASHES.set(password, made);
  return made;
}

const HASHES = new Map<string, Promise<string>>();
