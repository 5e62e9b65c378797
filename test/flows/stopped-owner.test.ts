import { describe, expect, it } from 'vitest';
import { type CrashBench, crashBench, type Outcome } from '../support/crash-bench.js';
import { sampled } from '../support/samples.js';
import { statsOf } from '../support/sandbox-stats.js';

/** A process of each test takes seconds on a busy machine. */
const SLOW = { timeout: 300_000 };

/** Where a run ends that nothing happens to. */
async function undisturbed(): Promise<Outcome> {
  const bench = await crashBench();
  expect((await bench.cli('run', '--json')).code).toBe(1);
  expect(await bench.breaches({ repeats: false })).toEqual([]);
  return bench.outcome();
}

let usual: Outcome | null = null;

/** Stops a run at a moment, lets another take over and finish, and wakes it. */
async function overtaken(moment: string, environment: Readonly<Record<string, unknown>> = {}) {
  const bench = await crashBench({ environment });
  const stopped = await bench.stoppedRun(moment);
  const other = await bench.overtakingRun();
  const posts = bench.posts();
  stopped.kill('SIGCONT');
  const woken = await stopped.ended;
  return { bench, other, woken, postsAfterWaking: bench.posts() - posts };
}

describe('a run that was stopped while it imported files, and overtaken', () => {
  it.each(sampled(['drop-claimed:1', 'drop-published:1', 'drop-placed:1', 'batch-committed:2']))(
    'at %s changes nothing when it wakes',
    SLOW,
    async (moment) => {
      usual ??= await undisturbed();
      const { bench, other, woken } = await overtaken(moment);
      expect(other.code).toBe(1);
      expect([0, 1], woken.stderr).toContain(woken.code);
      expect(await bench.breaches({ repeats: false })).toEqual([]);
      expect(bench.outcome()).toEqual(usual);
    },
  );
});

describe('a run that was stopped while it delivered, and overtaken', () => {
  it('before it claimed a row sends nothing when it wakes', SLOW, async () => {
    usual ??= await undisturbed();
    const { bench, other, postsAfterWaking } = await overtaken('permit-taken:3');
    expect([other.code, postsAfterWaking]).toEqual([1, 0]);
    expect(await bench.breaches({ repeats: false })).toEqual([]);
    expect(bench.outcome()).toEqual(usual);
  });

  it('after the platform has answered brings a late answer, which settles a row in doubt', SLOW, async () => {
    usual ??= await undisturbed();
    const { bench, postsAfterWaking } = await overtaken('answer-received:2', { unknown: 'hold' });
    expect(postsAfterWaking).toBe(0);
    expect(lateAnswers(bench)).toEqual([{ outcome: 'accepted', state: 'accepted', repeats: 0 }]);
    expect(await bench.breaches({ repeats: false })).toEqual([]);
    expect(bench.outcome()).toEqual(usual);
  });

  it(
    'after the platform has answered brings a late answer, which changes nothing where the row was sent again',
    SLOW,
    async () => {
      usual ??= await undisturbed();
      const { bench, postsAfterWaking } = await overtaken('answer-received:2');
      expect(postsAfterWaking).toBe(0);
      expect(lateAnswers(bench)).toEqual([{ outcome: 'accepted', state: 'accepted', repeats: 1 }]);
      expect(statsOf(bench.sandbox.platform).repeatedWrites).toBe(1);
      expect(await bench.breaches()).toEqual([]);
      expect(bench.outcome()).toEqual(usual);
    },
  );
});

function lateAnswers({ query }: CrashBench) {
  return query(
    `select r.outcome, s.state, s.repeats from response r join attempt_submission x using (attempt_id)
     join submission s using (submission_id) where r.late = 1`,
  );
}
