import { expect, it } from 'vitest';
import { memoryOf, passwordHashText, readPasswordHash } from '../../../src/domain/access/password-hash.js';

const SALT = 'A'.repeat(22);
const HASH = 'B'.repeat(43);

it('a password hash round-trips', () => {
  const text = `scrypt:32768:8:1:${SALT}:${HASH}`;
  const read = readPasswordHash(text);
  expect(read).toMatchObject({ n: 32_768, r: 8, p: 1 });
  expect(read?.salt).toHaveLength(16);
  expect(read?.hash).toHaveLength(32);
  expect(memoryOf({ n: 32_768, r: 8 })).toBe(32 * 2 ** 20);
  const written = read === null ? '' : passwordHashText(read);
  expect(readPasswordHash(written)).toEqual(read);
});

it.each([
  ['a password', 'correct horse battery staple'],
  ['another function', `bcrypt:32768:8:1:${SALT}:${HASH}`],
  ['a cost that is no power of two', `scrypt:30000:8:1:${SALT}:${HASH}`],
  ['a cost that protects nothing', `scrypt:1024:8:1:${SALT}:${HASH}`],
  ['a cost that takes all memory', `scrypt:1048576:16:1:${SALT}:${HASH}`],
  ['rounds without end', `scrypt:32768:8:99:${SALT}:${HASH}`],
  ['no rounds', `scrypt:32768:8:0:${SALT}:${HASH}`],
  ['a short salt', `scrypt:32768:8:1:AAAA:${HASH}`],
  ['a short hash', `scrypt:32768:8:1:${SALT}:BBBB`],
  ['trailing text', `scrypt:32768:8:1:${SALT}:${HASH} `],
])('%s is refused as a password hash', (_, text) => {
  expect(readPasswordHash(text)).toBeNull();
});
