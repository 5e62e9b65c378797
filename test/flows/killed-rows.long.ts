import { it } from 'vitest';
import { finishedOnce, RERUN_DISMISS_CORRECT } from '../support/killed-rows.js';

it.each(RERUN_DISMISS_CORRECT)(
  '$kind ($traced), killed at any moment, is finished once by whichever command comes next',
  { timeout: 300_000 },
  finishedOnce,
);
