import { pathToFileURL } from 'node:url';
import { type EndInTurn, inTurn } from './in-turn.js';
import type { TestWorkspace } from './workspace.js';

/** As `inTurn`, in a process that has loaded another module before. @param hook the module's file. */
export function inTurnAfter(
  hook: string,
  workspace: TestWorkspace,
  lines: readonly string[],
): Promise<{ readonly ends: readonly EndInTurn[]; readonly stderr: string }> {
  const startWith: TestWorkspace['startWith'] = (env, ...args) => {
    const options = `--import ${pathToFileURL(hook)} ${env.NODE_OPTIONS}`;
    return workspace.startWith({ ...env, NODE_OPTIONS: options }, ...args);
  };
  return inTurn({ ...workspace, startWith }, lines);
}
