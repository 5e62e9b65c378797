import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { RunResult } from '../../src/actions/run/run-lifecycle.js';
import { intakeJob } from '../../src/schedule/jobs/intake-job.js';
import { sourceOf } from '../staging/staging-bench.js';
import { actionContext } from '../support/action-context.js';
import { manualClock } from '../support/manual-clock.js';
import { testLedger } from '../support/staged-ledger.js';

/** Between two looks at the inbox. */
type Between = (inbox: Inbox) => void;

interface Inbox {
  write(name: string, content?: string): void;
  remove(name: string): void;
}

/**
 * Lets the job look at an inbox, once before each step and once after the last. A run takes no file, unless the test says
 * otherwise: each stays where it is.
 * @returns how many runs there were at each look, and the wall-clock milliseconds that the job slept after it.
 */
async function watched(
  stableFor: string,
  steps: readonly Between[],
  run: (nth: number, inbox: Inbox) => void = () => {},
) {
  // Files are then of the future, so that they rest by what the job has seen and not by the machine's clock.
  const clock = manualClock('2000-01-01T00:00:00.000Z');
  const context = actionContext(testLedger(clock));
  const source = sourceOf({ stableFor, poll: '1m' });
  const folder = context.paths.inbox(source);
  mkdirSync(folder, { recursive: true });
  const inbox: Inbox = {
    write: (name, content = 'a') => writeFileSync(join(folder, name), content),
    remove: (name) => rmSync(join(folder, name)),
  };
  const stop = new AbortController();
  const left = [...steps];
  const looks: { runs: number; sleptMs: number }[] = [];
  let runs = 0;
  let total = 0;
  const sleep = async (ms: number) => {
    clock.pass(ms);
    looks.push({ runs, sleptMs: ms });
    runs = 0;
    const step = left.shift();
    if (step === undefined) stop.abort();
    else step(inbox);
  };
  const importFiles = async () => {
    runs += 1;
    total += 1;
    run(total, inbox);
    return {} as RunResult;
  };
  const job = { ...context, clock: { ...clock, sleep }, stop: stop.signal, listen: () => {} };
  await intakeJob(job, source, importFiles);
  return { runs: looks.map((look) => look.runs), sleptMs: looks.map((look) => look.sleptMs) };
}

const nothing: Between = () => {};
const write =
  (name: string, content?: string): Between =>
  (inbox) =>
    inbox.write(name, content);

it('a file that runs leave in the inbox is tried once, also where others arrive after it', async () => {
  const steps = [write('a.csv'), nothing, write('b.csv'), nothing, write('c.csv'), nothing, nothing];
  expect((await watched('0s', steps)).runs).toEqual([0, 1, 0, 1, 0, 1, 0, 0]);
});

it('such a file is tried again once it was changed, or dropped again', async () => {
  const steps: Between[] = [
    write('a.csv'),
    nothing,
    write('a.csv', 'more'),
    nothing,
    (inbox) => inbox.remove('a.csv'),
    write('a.csv', 'other'),
    nothing,
  ];
  expect((await watched('0s', steps)).runs).toEqual([0, 1, 0, 1, 0, 0, 1, 0]);
});

it('a file is tried once it has rested, and looked at again just then', async () => {
  const { runs, sleptMs } = await watched('5s', [write('a.csv'), nothing, nothing]);
  expect(runs).toEqual([0, 0, 1, 0]);
  expect(sleptMs).toEqual([60_000, 5_000, 100, 60_000]);
});

it('each change restarts the rest of a file, and a resting file delays no other', async () => {
  const steps = [write('a.csv'), write('a.csv', 'more'), write('b.csv'), nothing, nothing, nothing];
  const { runs, sleptMs } = await watched('5s', steps);
  expect(runs).toEqual([0, 0, 0, 1, 0, 1, 0]);
  expect(sleptMs).toEqual([60_000, 5_000, 5_000, 100, 4_900, 100, 60_000]);
});

it('a file is tried again where the run for it failed, although it is unchanged', async () => {
  const steps = [write('a.csv'), nothing, nothing, nothing];
  const { runs } = await watched('0s', steps, (nth) => {
    if (nth < 3) throw new Error('the disk is full');
  });
  expect(runs).toEqual([0, 1, 1, 1, 0]);
});
