import { expect, it } from 'vitest';
import { finishedByService, WORK } from '../support/interrupted.js';

it.each(WORK)(
  'an idle service finishes what a killed process has left: %s',
  { timeout: 300_000 },
  async (work) => {
    const { workspace, end } = await finishedByService(work, 'SIGKILL', false);
    await end();
    expect((await workspace.books()).balanced).toBe(true);
  },
);
