import { execFile } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { CliResult } from './command-line.js';
import { findProgram } from './find-program.js';
import { REPOSITORY } from './installed-modules.js';
import { tempFolder } from './temp-folder.js';

/** The only programs that a machine needs to run the tests. */
const PROGRAMS = ['git', 'sh', 'python3', 'make', 'cc', 'g++'];

/** Each worker would load all modules, to skip a few tests of its files. */
const ONE_WORKER = '--no-file-parallelism';

/** Within both suites at once theirs: modules are kept compiled for each configuration apart. */
const BOTH_SUITES = process.env.EVERYTHING === '1';
const CONFIG = BOTH_SUITES ? ['--config', 'vitest.long.config.ts', '--project', 'long'] : [];

/** Runs tests where no program is found but these few. */
export function runTests(
  words: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<CliResult> {
  const folder = tempFolder();
  symlinkSync(process.execPath, join(folder, 'node'));
  for (const program of PROGRAMS) {
    const path = findProgram(program);
    if (path !== null) symlinkSync(path, join(folder, program));
  }
  const vitest = join(REPOSITORY, 'node_modules/vitest/vitest.mjs');
  const suites = BOTH_SUITES ? { EVERYTHING: '1' } : {};
  const where = { cwd: REPOSITORY, env: { PATH: folder, NO_COLOR: '1', ...suites, ...env } };
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [vitest, 'run', ONE_WORKER, ...CONFIG, ...words],
      where,
      (_, stdout, stderr) => resolve({ code: child.exitCode, stdout, stderr }),
    );
  });
}
