import { parseArgs } from 'node:util';
import { type SeedResult, simulateSeeds } from './simulate-seeds.js';
import type { WorldResult } from './simulate-world.js';

// What only some options need is loaded by them: to load all of it takes longer than a world.

/**
 * Simulates deliveries in virtual time, with faults drawn from seeds, and says which invariant broke, if any.
 *   --seeds 10000 [--from 1] [--threads 2]   as many worlds; a failing seed is printed with its last events
 *           [--first]                        ends with the first that fails
 *           [--postgres]                     each world's ledger is a database; a seed gives other worlds each time
 *   --seed 17 [--verbose]                    the very same world again, with all its events
 *   --rows 1000000                           one delivery of so many rows without faults: its virtual time beside what the
 *                                            quota allows, the machine's time for each row, and memory
 */
const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '1000' },
    from: { type: 'string', default: '1' },
    threads: { type: 'string', default: '2' },
    seed: { type: 'string' },
    rows: { type: 'string' },
    first: { type: 'boolean', default: false },
    postgres: { type: 'boolean', default: false },
    verbose: { type: 'boolean', default: false },
  },
});

if (values.rows !== undefined) await rowsOnly(Number(values.rows));
else if (values.seed !== undefined) await one(Number(values.seed), values.verbose);
else await many(Number(values.from), Number(values.seeds), Number(values.threads));

async function one(seed: number, verbose: boolean): Promise<void> {
  const { simulateWorld } = await import('./simulate-world.js');
  const result = await simulateWorld(seed, { keep: verbose ? 'all' : 'last' });
  if (verbose || result.violation !== null) console.log(result.trace.join('\n'));
  const { virtualMs, requests, accepted, digest } = result;
  console.log(
    `seed ${seed}: ${Math.round(virtualMs / 1000)} s, ${requests} requests, ${accepted} rows accepted; trace ${digest.slice(0, 16)}`,
  );
  tell(seed, result);
}

async function many(from: number, seeds: number, threads: number): Promise<void> {
  const started = process.hrtime.bigint();
  const sums = { worlds: 0, violations: 0, requests: 0, accepted: 0, virtualMs: 0 };
  const stop = new AbortController();
  const ended = ({ seed, result }: SeedResult) => {
    if (stop.signal.aborted) return;
    sums.worlds += 1;
    sums.requests += result.requests;
    sums.accepted += result.accepted;
    sums.virtualMs += result.virtualMs;
    if (result.violation === null) return;
    sums.violations += 1;
    console.log(result.trace.join('\n'));
    tell(seed, result);
    if (values.first) stop.abort();
  };
  if (values.postgres) {
    const { setup } = await import('../support/postgres-server.js');
    const { simulateOnDatabases } = await import('./simulate-on-databases.js');
    const stopServer = setup();
    await simulateOnDatabases(from, from + seeds - 1, ended, stop.signal).finally(stopServer);
  } else await simulateSeeds(from, from + seeds - 1, threads, ended, stop.signal);
  const seconds = Number((process.hrtime.bigint() - started) / 1_000_000n) / 1000;
  console.log(
    `${sums.worlds} worlds, ${Math.round(sums.virtualMs / 3_600_000)} h of virtual time, ${sums.requests} requests, ${sums.accepted} rows accepted: ${sums.violations} violations; ${seconds.toFixed(0)} s`,
  );
}

async function rowsOnly(rows: number): Promise<void> {
  const { deliverRows } = await import('./deliver-rows.js');
  const result = await deliverRows(rows, ({ delivered, cpuMsEach, residentMb }) => {
    console.log(
      `${String(delivered).padStart(9)} rows: ${cpuMsEach.toFixed(3)} ms of CPU for each of the last ones, ${residentMb.toFixed(0)} MB`,
    );
  });
  const share = (100 * result.virtualMs) / result.expectedMs;
  console.log(
    `${rows} rows in ${(result.virtualMs / 86_400_000).toFixed(3)} days of virtual time, ${share.toFixed(2)} % of rows / quota x (60.5 s + latency); over the quota: ${result.overQuota}; the books ${result.balanced ? 'balance' : "DON'T balance"}; peak memory ${(process.resourceUsage().maxRSS / 1024).toFixed(0)} MB`,
  );
  if (Math.abs(share - 100) > 1 || result.overQuota > 0 || !result.balanced) process.exitCode = 1;
}

function tell(seed: number, { violation }: WorldResult): void {
  if (violation === null) return;
  process.exitCode = 1;
  console.log(
    `seed ${seed} after ${violation.atMs} ms: broken: ${violation.sentence}\n  ${violation.detail}\n  again: npm run simulate -- --seed ${seed} --verbose\n`,
  );
}
