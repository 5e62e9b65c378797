import { createHash, randomBytes } from 'node:crypto';

/** A secret that a browser or a program shows to say who it is, and the hash by which it is known. */
export interface Secret {
  /** 43 letters of base64url. Shown once, kept nowhere. */
  readonly secret: string;
  readonly hash: string;
}

/** Makes a secret of 32 random bytes: it can't be guessed, so that a fast hash protects it. */
export function newSecret(): Secret {
  const secret = randomBytes(32).toString('base64url');
  return { secret, hash: hashOf(secret) };
}

/** The hash of a text that should be a secret, in hex digits. */
export function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}
