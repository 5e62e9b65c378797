import { expect, it } from 'vitest';
import { crashBench } from '../support/crash-bench.js';
import { statsOf } from '../support/sandbox-stats.js';

it('a run that was stopped right before a request, and overtaken, does not send it when it wakes', {
  timeout: 300_000,
}, async () => {
  // The permit lasts longer than the lease: only the lease prevents the request.
  const bench = await crashBench({ environment: { deadline: '60s' } });
  // To import the files as well would take most of the run.
  expect((await bench.cli('run', '--no-push')).code).toBe(1);
  const stopped = await bench.stoppedRun('attempt-written:3');
  expect((await bench.overtakingRun()).code).toBe(1);
  const posts = bench.posts();
  stopped.kill('SIGCONT');
  await stopped.ended;
  expect(bench.posts()).toBe(posts);
  expect(statsOf(bench.sandbox.platform).repeatedWrites).toBe(0);
  expect(await bench.breaches()).toEqual([]);
});
