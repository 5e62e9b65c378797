import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const SIMULATE = fileURLToPath(new URL('../../dist/test/simulation/simulate.js', import.meta.url));

const SEEDS = process.env.SIMULATION_SEEDS ?? '1000';

it(`every invariant holds in ${SEEDS} worlds`, { timeout: 1_800_000 }, () => {
  const printed = execFileSync(process.execPath, [SIMULATE, '--from', '100000', '--seeds', SEEDS], {
    encoding: 'utf8',
  });
  expect(printed).toMatch(new RegExp(`^${SEEDS} worlds, .* 0 violations`, 'm'));
});
