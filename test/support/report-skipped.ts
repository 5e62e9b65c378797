import type { TestProject } from 'vitest/node';
import { skippedLine } from './needs.js';

/** Says at the end of a run, beside any reporter, which tests were skipped for what this machine lacks. */
export function setup(project: TestProject): () => void {
  return () => {
    const modules = project.vitest.state.getTestModules().filter((module) => module.project === project);
    const skipped = modules.flatMap((module) => [...module.children.allTests('skipped')]);
    const line = skippedLine(skipped.map(({ options }) => options.tags ?? []));
    if (line !== null) console.error(`\n${line}`);
  };
}
