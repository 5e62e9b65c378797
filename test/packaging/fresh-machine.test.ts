import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { runTests } from '../support/few-programs.js';
import { tempFolder } from '../support/temp-folder.js';

it('a test that needs a missing program is marked to be skipped, and counted with the package to install', async () => {
  const { PATH, REQUIRE_ALL } = process.env;
  onTestFinished(() => {
    process.env.PATH = PATH;
    if (REQUIRE_ALL !== undefined) process.env.REQUIRE_ALL = REQUIRE_ALL;
  });
  const folder = tempFolder();
  symlinkSync(process.execPath, join(folder, 'zsh'));
  process.env.PATH = folder;
  delete process.env.REQUIRE_ALL;
  // Imported once more, because it keeps what it has looked up.
  const again = '../support/needs.js?again';
  const { needTags, skippedLine } = (await import(again)) as typeof import('../support/needs.js');
  const skipped = needTags().flatMap(({ name, skip }) => (skip ? [name] : []));
  expect(skipped).toEqual(expect.arrayContaining(['fish', 'promtool']));
  expect(skipped).not.toContain('zsh');
  expect(skippedLine([['promtool'], ['zsh'], ['fish', 'promtool']])).toBe(
    'Skipped 2 tests, which need fish (1), promtool (2). To run them: apt-get install fish prometheus.',
  );
  expect(skippedLine([['zsh'], []])).toBeNull();
});

it('with REQUIRE_ALL=1 such a test fails, and says how to get the program', {
  timeout: 600_000,
}, async () => {
  const ended = await runTests(['test/deploy/systemd.test.ts'], { REQUIRE_ALL: '1' });
  expect(ended).toMatchObject({ code: 1 });
  expect(ended.stderr).toContain('This test needs systemd-analyze. To run it: apt-get install systemd.');
  expect(ended.stderr).not.toContain('Skipped');
});
