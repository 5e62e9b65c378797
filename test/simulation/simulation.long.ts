import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const SIMULATE = fileURLToPath(new URL('../../dist/test/simulation/simulate.js', import.meta.url));

it('every invariant holds in 1000 worlds', { timeout: 1_800_000 }, () => {
  const printed = execFileSync(process.execPath, [SIMULATE, '--from', '100000', '--seeds', '1000'], {
    encoding: 'utf8',
  });
  expect(printed).toMatch(/^1000 worlds, .* 0 violations/m);
});
