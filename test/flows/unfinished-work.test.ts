import { expect, it } from 'vitest';
import { takenUp, WORK } from '../support/interrupted.js';

it.each(WORK)(
  'an idle service finishes what a killed process has left: %s',
  { timeout: 300_000 },
  async (work) => {
    const { workspace, service } = await takenUp(work, 'SIGKILL', false);
    service.kill('SIGTERM');
    expect((await service.ended).code).toBe(143);
    expect((await workspace.books()).balanced).toBe(true);
  },
);
