import fc from 'fast-check';
import { afterAll, beforeEach } from 'vitest';
import { releaseAll } from './after-file.js';
import { requireNeeds } from './needs.js';

// One module: vitest loads each setup file once more for each test file.

/** PROPERTY_SEED makes properties draw the same each time; without it they begin anywhere, and say where when they fail. */
const { PROPERTY_SEED } = process.env;

if (PROPERTY_SEED !== undefined)
  fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(PROPERTY_SEED) });

// Only with REQUIRE_ALL=1 does a test begin that lacks something.
beforeEach(({ task }) => requireNeeds(task.tags ?? []));

afterAll(releaseAll);
