import { expect, it } from 'vitest';
import { tokenLifetimeMs } from '../../src/platform/token-lifetime.js';

const HALF_AN_HOUR = 1_800_000;

it.each<[unknown, number]>([
  [3600, 3_600_000],
  ['3600', 3_600_000],
  [1, 1000],
  [1.5, 1500],
  [5_184_000, 5_184_000_000],
  [5_184_001, HALF_AN_HOUR],
  [0, HALF_AN_HOUR],
  [0.9, HALF_AN_HOUR],
  [-1, HALF_AN_HOUR],
  ['soon', HALF_AN_HOUR],
  ['', HALF_AN_HOUR],
  ['0x20', HALF_AN_HOUR],
  [null, HALF_AN_HOUR],
  [undefined, HALF_AN_HOUR],
  [true, HALF_AN_HOUR],
  [[60], HALF_AN_HOUR],
  [Number.NaN, HALF_AN_HOUR],
])('expires_in %j is %i ms', (expiresIn, expected) => {
  expect(tokenLifetimeMs(expiresIn)).toBe(expected);
});
