import { describe, it } from 'vitest';
import { expectLinesAsDocumented } from './support/sample-lines.js';
import { SAMPLE_SHOWS } from './support/sample-shows.js';

/** The short tests have the first. */
const FURTHER_SHOWS = SAMPLE_SHOWS.slice(1);

describe('data/README.md says what becomes of the lines of each sample', () => {
  it.each(FURTHER_SHOWS.map((show) => [show.operations.join(', '), show] as const))('%s', (_, show) =>
    expectLinesAsDocumented(show),
  );
});
