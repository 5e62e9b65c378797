import { expect } from 'vitest';
import { onceFor } from '../../src/domain/process/once.js';
import { simulateWorld, type WorldResult } from './simulate-world.js';

/** Some worlds, one of which is compared with itself. */
export interface Worlds {
  readonly seeds: readonly number[];
  readonly compared: number;
}

/** Lives through them, and fails where an invariant breaks or hardly anything is delivered. */
export async function liveThrough(worlds: Worlds): Promise<void> {
  let accepted = 0;
  for (const seed of worlds.seeds) {
    const result = await (seed === worlds.compared ? firstOf(worlds) : simulateWorld(seed));
    const again = `npm run simulate -- --seed ${seed} --verbose`;
    expect(result.violation, `${again}\n${result.trace.join('\n')}`).toBeNull();
    accepted += result.accepted;
  }
  expect(accepted).toBeGreaterThan(5 * worlds.seeds.length);
}

/** Fails where the compared world is another one the second time. */
export async function liveAgain(worlds: Worlds): Promise<void> {
  const { trace, digest } = await firstOf(worlds);
  const second = await simulateWorld(worlds.compared, { keep: 'all' });
  expect(second.trace).toEqual(trace);
  expect(second.digest).toBe(digest);
}

const firstOf = onceFor(
  ({ compared }: Worlds): Promise<WorldResult> => simulateWorld(compared, { keep: 'all' }),
);
