import { describe, it } from 'vitest';
import { liveAgain, liveThrough, type Worlds } from './live-through.js';

/** About a fifth of a second each; the slower tests have those before. */
const WORLDS: Worlds = { seeds: [7, 8, 9, 10, 11, 12], compared: 8 };

describe('whatever goes wrong', () => {
  it(
    `every invariant holds, and everything comes to its end (${WORLDS.seeds.length} worlds)`,
    {
      timeout: 300_000,
    },
    () => liveThrough(WORLDS),
  );
});

it(`the world of seed ${WORLDS.compared} is the same each time`, () => liveAgain(WORLDS));
