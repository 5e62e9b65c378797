import { describe, expect, it } from 'vitest';
import { crashBench } from '../support/crash-bench.js';
import { FAILPOINTS } from '../support/failpoints.js';
import { killedInTurn } from '../support/killed-in-turn.js';

/** A dozen processes one after another: on a busy machine each takes many seconds. */
const SWEEP_MS = 600_000;

describe('kill -9', () => {
  it('at every ninth step in turn, run after run, ends where a run ends that nothing happens to', {
    timeout: SWEEP_MS,
  }, async () => {
    // The longer suite takes as many others.
    await killedInTurn(FAILPOINTS.filter((_, index) => index % 9 === 4));
  });

  it('between publishing a drop and applying it leaves that to the next run, pushing or not', async () => {
    const [bench, other] = [await crashBench(), await crashBench()];
    const killed = await bench.runWith({ REGISTRAR_FAILPOINT: 'drop-published' }, '--no-push');
    expect(killed.code).toBeNull();
    await bench.cli('run', '--no-push');
    await other.cli('run', '--no-push');
    expect(bench.outcome()).toEqual(other.outcome());
    expect(bench.outcome().rows).toContain('academy.csv:5 revision 1 replaced ');
  });
});
