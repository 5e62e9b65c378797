import { expect, it } from 'vitest';
import { samples } from '../support/samples.js';
import { damageInTurn } from './damage-bench.js';

it('no changed bit of a ledger is a bug, changes a row silently, or shows personal data', {
  timeout: 300_000,
}, async () => {
  expect(await damageInTurn(samples(110), 20260302)).toEqual([]);
});
