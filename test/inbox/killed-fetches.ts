import { expect } from 'vitest';
import type { TestWorkspace } from '../support/workspace.js';

/** Kills a run at each of these moments while it fetches a file of three rows, and checks that later runs bring in each row once. */
export async function killedFetches(
  workspace: TestWorkspace,
  moments: readonly string[],
  put: (name: string, index: number) => Promise<void> | void,
): Promise<void> {
  for (const [index, moment] of moments.entries()) {
    await put(`${moment}.csv`, index);
    const killed = await workspace.startWith({ REGISTRAR_FAILPOINT: moment }, 'run').ended;
    expect([moment, killed.code]).toEqual([moment, null]);
    await workspace.run('--no-push');
  }
  await workspace.run();
  expect(workspace.states()).toEqual({ accepted: 3 * moments.length });
  expect(workspace.files('inbox').filter((name) => !name.endsWith('.part'))).toEqual([]);
}
