/** The share of samples that properties draw, from SAMPLES: all without it; `npm test` draws a fifth. */
const SHARE = Number(process.env.SAMPLES ?? 1);

/** How many samples a slow property draws, of as many as it draws with SAMPLES=1; one at least. */
export function samples(count: number): number {
  return Math.max(1, Math.ceil(count * SHARE));
}

/**
 * Of a list the same share, evenly spread, with the last of it.
 * @param turn other samples for tests with the same list, so that together they try more of it.
 */
export function sampled<Case>(all: readonly Case[], turn = 0): readonly Case[] {
  const before = (index: number) => Math.floor((index * samples(all.length)) / all.length);
  const turned = [...all.slice(turn), ...all.slice(0, turn)];
  return turned.filter((_, index) => before(index + 1) > before(index));
}
