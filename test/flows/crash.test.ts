import { describe, expect, it } from 'vitest';
import { FAILPOINTS } from '../../src/domain/failpoint.js';
import { crashBench, undisturbed } from '../support/crash-bench.js';

/** Some forty processes one after another: on a busy machine each takes many seconds. */
const SWEEP_MS = 600_000;

describe('kill -9', () => {
  it('at every step in turn, run after run, ends where a run ends that nothing happens to', {
    timeout: SWEEP_MS,
  }, async () => {
    const usual = await undisturbed(FAILPOINTS.length);
    expect([...usual.hits.keys()].sort()).toEqual([...FAILPOINTS].sort());
    // The corrected rows are among what must come out the same.
    expect(usual.outcome.rows).toContain('academy corrected.csv:3 revision 1 accepted ');
    expect(usual.outcome.rows).toContain('unknown learner revision 1 replaced ');
    // Each kill on the way of one row's request costs that row a resend.
    const bench = await crashBench({ environment: { resends: 10 } });
    for (const [round, name] of FAILPOINTS.entries()) {
      bench.deliver(round);
      const { code } = await bench.runWith({ REGISTRAR_FAILPOINT: name });
      expect([name, code]).toEqual([name, null]);
    }
    // The last one was killed after its end, having told of everything.
    expect((await bench.runWith()).code).toBe(0);
    expect(bench.breaches()).toEqual([]);
    expect(bench.outcome()).toEqual(usual.outcome);
  });

  it('between publishing a drop and settling it leaves that to the next run, pushing or not', async () => {
    const [bench, other] = [await crashBench(), await crashBench()];
    const killed = await bench.runWith({ REGISTRAR_FAILPOINT: 'drop-published' }, '--no-push');
    expect(killed.code).toBeNull();
    await bench.runWith({}, '--no-push');
    await other.runWith({}, '--no-push');
    expect(bench.outcome()).toEqual(other.outcome());
    expect(bench.outcome().rows).toContain('academy.csv:5 revision 1 replaced ');
  });
});
