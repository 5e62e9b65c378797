import { it } from 'vitest';
import { finishedOnce, INTAKE_MOMENTS, KILLED } from '../support/killed-rows.js';

it.each(KILLED.filter(({ kind }) => kind === 'correct'))(
  '$kind ($traced), killed while its file is taken in, is finished once by whichever command comes next',
  (killed) => finishedOnce({ ...killed, moments: INTAKE_MOMENTS }),
);
