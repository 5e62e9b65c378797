import { describe, expect, it } from 'vitest';
import { crashBench } from '../support/crash-bench.js';

describe('kill -9', () => {
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
