import { expect, it } from 'vitest';
import { endedByHand, LASTING, stockedWorkspace } from './every-command-setup.js';

it.each(['schedule', 'console'] as const)(
  '%s is carried out by the program until it is stopped',
  async (name) => {
    expect(await endedByHand(await stockedWorkspace(), name)).toEqual(LASTING[name]);
  },
);
