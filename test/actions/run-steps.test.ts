import { expect, it } from 'vitest';
import { runSteps } from '../../src/actions/decision/handler.js';

async function* steps(done: (string | number)[]) {
  try {
    for (const step of [1, 2, 3]) {
      done.push(step);
      yield step;
    }
    return 'result';
  } finally {
    done.push('closed');
  }
}

it('steps are reported one by one, and their result is returned', async () => {
  const reported: number[] = [];
  const never = new AbortController().signal;
  expect(await runSteps(steps([]), never, (step) => void reported.push(step))).toBe('result');
  expect(reported).toEqual([1, 2, 3]);
});

it('once the leases are lost no step begins, and what the steps have open is closed', async () => {
  const done: (string | number)[] = [];
  const lost = new AbortController();
  const carrying = runSteps(steps(done), lost.signal, (step) => {
    if (step === 2) lost.abort();
  });
  await expect(carrying).rejects.toThrow('another process has taken over this decision');
  expect(done).toEqual([1, 2, 'closed']);
});
