import { expect, it } from 'vitest';
import { damageInTurn } from './damage-bench.js';

const BITS = Number(process.env.DAMAGED_BITS ?? 2_000);

it('no changed bit of a ledger is a bug, changes a row silently, or shows personal data', {
  timeout: 900_000,
}, async () => {
  expect(await damageInTurn(BITS, Number(process.env.SEED ?? 1))).toEqual([]);
});
