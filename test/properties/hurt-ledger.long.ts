import { expect, it } from 'vitest';
import { hurtInTurn } from './hurt-bench.js';

it('no changed bit of a ledger is a bug, changes a row silently, or shows anybody', {
  timeout: 900_000,
}, async () => {
  expect(await hurtInTurn(2_000, Number(process.env.SEED ?? 1))).toEqual([]);
});
