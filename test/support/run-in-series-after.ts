import { pathToFileURL } from 'node:url';
import { runInSeries, type SeriesResult } from './run-in-series.js';
import type { TestWorkspace } from './workspace.js';

/** As `runInSeries`, in a process that has loaded another module before. @param hook the module's file. */
export function runInSeriesAfter(
  hook: string,
  workspace: TestWorkspace,
  lines: readonly string[],
): Promise<{ readonly ends: readonly SeriesResult[]; readonly stderr: string }> {
  const startWith: TestWorkspace['startWith'] = (env, ...args) => {
    const options = `--import ${pathToFileURL(hook)} ${env.NODE_OPTIONS}`;
    return workspace.startWith({ ...env, NODE_OPTIONS: options }, ...args);
  };
  return runInSeries({ ...workspace, startWith }, lines);
}
