import { expect } from 'vitest';
import { usualRun } from './after-a-fault.js';
import { crashBench, type Outcome } from './crash-bench.js';
import { FAILPOINTS, type Failpoint } from './failpoints.js';

/**
 * One workspace, a delivery for each step, and a run that is killed at it: the outcome is that of an undisturbed run.
 */
export async function killedInTurn(steps: readonly Failpoint[]): Promise<void> {
  const { hits } = await usualRun();
  expect([...hits.keys()].sort()).toEqual([...FAILPOINTS].sort());
  const usual = await undisturbed(steps.length);
  // The outcome includes the corrected rows.
  expect(usual.rows).toContain('academy.csv:9 revision 1 accepted ');
  expect(usual.rows).toContain('unknown learner revision 1 replaced ');
  // Each kill on the way of one row's request costs that row a resend.
  const bench = await crashBench({ environment: { resends: 10 } });
  for (const [round, name] of steps.entries()) {
    bench.deliver(round);
    const { code } = await bench.runWith({ REGISTRAR_FAILPOINT: name });
    expect([name, code]).toEqual([name, null]);
  }
  // 0 where the last one was killed after its end, having printed everything.
  expect([0, 1]).toContain((await bench.cli('run', '--json')).code);
  expect(await bench.breaches()).toEqual([]);
  expect(bench.outcome()).toEqual(usual);
}

/** The outcome of an undisturbed run with as many deliveries. */
async function undisturbed(rounds: number): Promise<Outcome> {
  const bench = await crashBench();
  for (let round = 0; round < rounds; round += 1) bench.deliver(round);
  expect((await bench.cli('run', '--json')).code).toBe(1);
  expect(await bench.breaches({ repeats: false })).toEqual([]);
  return bench.outcome();
}
