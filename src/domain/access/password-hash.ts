/** What a password became by scrypt, with all that is needed to compare another one with it. */
export interface PasswordHash {
  readonly n: number;
  readonly r: number;
  readonly p: number;
  readonly salt: Buffer;
  readonly hash: Buffer;
}

/** `scrypt:32768:8:1:SALT:HASH`, the last two in base64url. */
export function passwordHashText({ n, r, p, salt, hash }: PasswordHash): string {
  return ['scrypt', n, r, p, salt.toString('base64url'), hash.toString('base64url')].join(':');
}

/** null for no such text, or a cost too low to protect a password or too high for a server. */
export function readPasswordHash(text: string): PasswordHash | null {
  const [, n, r, p, salt = '', hash = ''] =
    /^scrypt:(\d{1,7}):(\d{1,2}):(\d{1,2}):([\w-]{22,86}):([\w-]{43,86})$/.exec(text) ?? [];
  const cost = { n: Number(n), r: Number(r), p: Number(p) };
  if (salt === '' || !isSound(cost)) return null;
  return { ...cost, salt: Buffer.from(salt, 'base64url'), hash: Buffer.from(hash, 'base64url') };
}

/** The memory that a comparison takes, in bytes. */
export function memoryOf({ n, r }: Pick<PasswordHash, 'n' | 'r'>): number {
  return 128 * n * r;
}

/** 16 MB a guess; and no text may take a server's memory or minutes of its time. */
const MIN_MEMORY_BYTES = 16 * 2 ** 20;
const MAX_MEMORY_BYTES = 256 * 2 ** 20;
const MAX_ROUNDS = 16;

function isSound({ n, r, p }: Pick<PasswordHash, 'n' | 'r' | 'p'>): boolean {
  const bytes = memoryOf({ n, r });
  const isPower = n > 1 && Number.isInteger(Math.log2(n));
  return isPower && bytes >= MIN_MEMORY_BYTES && bytes <= MAX_MEMORY_BYTES && p >= 1 && p <= MAX_ROUNDS;
}
