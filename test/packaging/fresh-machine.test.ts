import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { CliResult } from '../support/command-line.js';
import { findProgram } from '../support/find-program.js';
import { REPOSITORY } from '../support/installed-modules.js';
import { tempFolder } from '../support/temp-folder.js';

const SLOW = { timeout: 600_000 };

/** All that a machine has on which the tests can run. */
const PROGRAMS = ['git', 'sh', 'python3', 'make', 'cc', 'g++'];

/** Each worker would load all modules, to skip a few tests of its files. */
const ONE_WORKER = '--no-file-parallelism';

/** Within both suites at once theirs: modules are kept compiled for each configuration apart. */
const BOTH_SUITES = process.env.EVERYTHING === '1';
const CONFIG = BOTH_SUITES ? ['--config', 'vitest.long.config.ts', '--project', 'long'] : [];

/** Runs tests where no program is found but these few. */
function runTests(words: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<CliResult> {
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

/** What tests need that the machine doesn't have. */
const MISSING = ['bash', 'chromium', 'fish', 'promtool', 'script', 'systemd-analyze', 'zsh'];

/** The files that state these needs, or some that are not written out: in the others nothing would be skipped. */
function filesWithNeeds(): string[] {
  const needs = new RegExp(`tags: \\[([^']|.*'(${MISSING.join('|')})')|^// @module-tag`);
  const files = readdirSync(join(REPOSITORY, 'test'), { recursive: true, encoding: 'utf8' });
  return files
    .filter((file) => file.endsWith('.test.ts'))
    .map((file) => join('test', file))
    .filter((file) => needs.test(readFileSync(join(REPOSITORY, file), 'utf8')));
}

it('tests that need a missing program are skipped, and the last line says how to get it', SLOW, async () => {
  const ended = await runTests([...filesWithNeeds(), `--tagsFilter=${MISSING.join(' || ')}`]);
  expect(ended).toMatchObject({ code: 0 });
  expect(ended.stderr.trimEnd().split('\n').at(-1)).toMatch(
    /^Skipped \d+ tests, which need .*promtool \(3\).*\. To run them: apt-get install bash .*prometheus.*\.$/,
  );
});

it('with REQUIRE_ALL=1 such a test fails, and says how to get the program', SLOW, async () => {
  const ended = await runTests(['test/deploy/systemd.test.ts'], { REQUIRE_ALL: '1' });
  expect(ended).toMatchObject({ code: 1 });
  expect(ended.stderr).toContain('This test needs systemd-analyze. To run it: apt-get install systemd.');
  expect(ended.stderr).not.toContain('Skipped');
});
