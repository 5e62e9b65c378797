import { createHash, randomBytes } from 'node:crypto';

/**
 * Makes a secret that a browser or a program shows, 43 letters of base64url, and the hash by which it is known. Its 32 random
 * bytes can't be guessed, so that a fast hash protects it.
 */
export function newSecret() {
  const secret = randomBytes(32).toString('base64url');
  return { secret, hash: hashOf(secret) };
}

/** The hash of a text that should be a secret, in hex digits. */
export function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}
