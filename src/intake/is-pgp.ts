/** Whether a file that begins with these bytes is a PGP message, armoured or not; it may be one that is only signed. */
export function isPgp(head: Uint8Array): boolean {
  const bytes = Buffer.from(head.buffer, head.byteOffset, head.length);
  return isArmored(bytes) || isSessionKey(bytes);
}

/** Whether a PGP message is written in letters. */
export function isArmored(head: Buffer): boolean {
  return head.toString('latin1', 0, 64).trimStart().startsWith('-----BEGIN PGP MESSAGE-----');
}

/**
 * An encrypted message begins with the packet of a session key, encrypted with a public key or a passphrase (RFC 9580, 5.1 and
 * 5.3). The version behind its length distinguishes it from a text that begins with such a letter.
 */
function isSessionKey(bytes: Buffer): boolean {
  const tag = bytes[0] ?? 0;
  const isOld = (tag & 0b1100_0000) === 0b1000_0000;
  const type = isOld ? (tag >> 2) & 0b1111 : tag & 0b0011_1111;
  const lengthBytes = isOld ? OLD_LENGTHS[tag & 0b11] : (bytes[1] ?? 0) < 192 ? 1 : 2;
  if (tag < 0b1000_0000 || lengthBytes === undefined) return false;
  return (VERSIONS[type] ?? []).includes(bytes[1 + lengthBytes] ?? 0);
}

const OLD_LENGTHS: readonly number[] = [1, 2, 4];

const PUBLIC_KEY = 1;
const PASSPHRASE = 3;
const VERSIONS: Readonly<Record<number, readonly number[]>> = {
  [PUBLIC_KEY]: [3, 6],
  [PASSPHRASE]: [4, 5, 6],
};
