import { expect, it } from 'vitest';
import { hurtInTurn } from './hurt-bench.js';

const BITS = Number(process.env.HURT_BITS ?? 2_000);

it('no changed bit of a ledger is a bug, changes a row silently, or shows personal data', {
  timeout: 900_000,
}, async () => {
  expect(await hurtInTurn(BITS, Number(process.env.SEED ?? 1))).toEqual([]);
});
