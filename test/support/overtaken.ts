import { expect } from 'vitest';
import { once } from '../../src/domain/process/once.js';
import { type CrashBench, crashBench, type Outcome } from './crash-bench.js';

/** The outcome of an undisturbed run; made once. */
export const undisturbedOutcome = once(async (): Promise<Outcome> => {
  const bench = await crashBench();
  expect((await bench.cli('run', '--json')).code).toBe(1);
  expect(await bench.breaches({ repeats: false })).toEqual([]);
  return bench.outcome();
});

/** Stops a run at a moment, lets another take over and finish, and wakes it. */
export async function overtaken(moment: string) {
  return overtakenOn(await crashBench(), moment);
}

/** The same for a run that only delivers: to import the files as well would take most of its time. */
export async function overtakenDelivering(
  moment: string,
  environment: Readonly<Record<string, unknown>> = {},
) {
  const bench = await crashBench({ environment });
  expect((await bench.cli('run', '--no-push')).code).toBe(1);
  return overtakenOn(bench, moment);
}

async function overtakenOn(bench: CrashBench, moment: string) {
  const stopped = await bench.stoppedRun(moment);
  const other = await bench.overtakingRun();
  const posts = bench.posts();
  stopped.kill('SIGCONT');
  const woken = await stopped.ended;
  return { bench, other, woken, postsAfterWaking: bench.posts() - posts };
}

/** The answers that arrived after another run had taken over, and the outcome of their rows. */
export function lateAnswers({ query }: CrashBench) {
  return query(
    `select r.outcome, s.state, s.repeats from response r join attempt_submission x using (attempt_id)
     join submission s using (submission_id) where r.late = 1`,
  );
}
