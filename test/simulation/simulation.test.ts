import { describe, expect, it } from 'vitest';
import { simulateWorld } from './simulate-world.js';

/** About a tenth of a second each. */
const SEEDS = 12;

describe('whatever goes wrong', () => {
  it(`every invariant holds, and everything comes to its end (${SEEDS} worlds)`, {
    timeout: 300_000,
  }, async () => {
    let accepted = 0;
    for (let seed = 1; seed <= SEEDS; seed += 1) {
      const result = await simulateWorld(seed);
      const again = `npm run simulate -- --seed ${seed} --verbose`;
      expect(result.violation, `${again}\n${result.trace.join('\n')}`).toBeNull();
      accepted += result.accepted;
    }
    expect(accepted).toBeGreaterThan(5 * SEEDS);
  });
});

it.each([3, 8])('the world of seed %i is the same each time', async (seed) => {
  const [first, second] = [
    await simulateWorld(seed, { keep: 'all' }),
    await simulateWorld(seed, { keep: 'all' }),
  ];
  expect(second.trace).toEqual(first.trace);
  expect(second.digest).toBe(first.digest);
});
