import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runTests } from '../support/few-programs.js';
import { REPOSITORY } from '../support/installed-modules.js';

/** Needs of tests that the machine doesn't have. */
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

// The modules of all these files are loaded.
it('tests that need a missing program are skipped, and the last line says how to get it', {
  timeout: 600_000,
}, async () => {
  const ended = await runTests([...filesWithNeeds(), `--tagsFilter=${MISSING.join(' || ')}`]);
  expect(ended).toMatchObject({ code: 0 });
  expect(ended.stderr.trimEnd().split('\n').at(-1)).toMatch(
    /^Skipped \d+ tests, which need .*promtool \(\d+\).*\. To run them: apt-get install bash .*prometheus.*\.$/,
  );
});
