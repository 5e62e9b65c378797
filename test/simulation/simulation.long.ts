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

const ON_DATABASES = String(Math.ceil(Number(SEEDS) / 10));

it(`every invariant holds in ${ON_DATABASES} worlds whose ledger is a database`, {
  timeout: 1_800_000,
}, () => {
  const asked = ['--from', '100000', '--seeds', ON_DATABASES, '--postgres'];
  const printed = execFileSync(process.execPath, [SIMULATE, ...asked], { encoding: 'utf8' });
  expect(printed).toMatch(new RegExp(`^${ON_DATABASES} worlds, .* 0 violations`, 'm'));
});
