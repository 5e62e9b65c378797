import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { endingText, goesOn, usualRun, wrongFailure } from '../support/after-a-fault.js';
import type { CliResult } from '../support/command-line.js';
import { type CrashBench, crashBench, sqlFaults } from '../support/crash-bench.js';
import { FAILPOINTS, type Failpoint } from '../support/failpoints.js';
import { killedInTurn } from '../support/killed-in-turn.js';
import { readSqlTrace } from '../support/sql-trace.js';

/** Of all moments and statements, every how many-th is tried: `CRASH_EVERY`, else every one; of steps in turn at least each eighteenth, and twice as many between. */
const EVERY = Number(process.env.CRASH_EVERY ?? 1);

/** A sweep is divided into tests, so that a failure shows early and folders don't pile up. */
const PARTS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] as const;

/** Programs mostly start, stage and wait: one more than cores keeps these busy. */
const AT_ONCE = availableParallelism() + 1;

/** The share of an undisturbed run's statements that another run executes as well. */
const SURE = 0.85;

/** The program's sentence for each of these errors of SQLite. */
const SENTENCES = {
  SQLITE_FULL: 'Make room and run again: nothing is lost.',
  SQLITE_IOERR: 'Reading or writing failed. Check the disk, then run again.',
  SQLITE_BUSY: 'Another program keeps the ledger locked. Close it and run again.',
} as const;

it('kill -9 at each step in turn, run after run, ends where an undisturbed run ends', async () => {
  const every = Math.min(EVERY, 18);
  await killedInTurn(FAILPOINTS.filter((_, index) => index % every === 0 || index % 9 === 4));
});

describe.each(PARTS)(`part %i of ${PARTS.length}`, (part) => {
  it('kill -9 whenever a run passes a failpoint, and again when the next run first passes it', async () => {
    await sweep('moments', part, await everyHit(), async ({ name, hit }) => {
      const bench = await crashBench();
      const killed = await bench.runWith({ REGISTRAR_FAILPOINT: `${name}:${hit}` });
      if (killed.code !== null) return [endingText(killed)];
      await bench.runWith({ REGISTRAR_FAILPOINT: name });
      // A copy is there and its original still is: that looks like a file that came again.
      return goesOn(bench, { repeats: maySendAgain(name), arrivals: name.startsWith('copy-') });
    });
  });

  it('kill -9 before every SQL statement', async () => {
    await sweep('statements to be killed before', part, await everyStatement(), async (statement) => {
      const bench = await crashBench();
      const { ended, faulty } = await faultyRun(bench, `kill:${statement}`);
      const wrong = faulty === null ? await notReached(statement, ended) : killedOnly(ended);
      return [...wrong, ...(await goesOn(bench))].map((problem) => `${faulty}: ${problem}`);
    });
  });

  it('an error of disk or ledger at every SQL statement: exit code 74 and one sentence, unless the run survives it', async () => {
    await sweep('statements to go wrong', part, await everyStatement(), async (statement) => {
      const [code, sentence] = Object.entries(SENTENCES)[statement % 3] ?? ['', ''];
      const bench = await crashBench();
      const { ended, faulty, isProbe } = await faultyRun(bench, `${code}:${statement}`);
      const wrong =
        faulty === null
          ? await notReached(statement, ended)
          : (isProbe && ended.code === 1) || isOutlived(`${code} at ${faulty}`, ended)
            ? []
            : wrongFailure(ended, sentence);
      return [...wrong, ...(await goesOn(bench))].map((problem) => `${code} at ${faulty}: ${problem}`);
    });
  });
});

/** A run with a fault, and the statement that met it (null: it was over before). */
async function faultyRun(bench: CrashBench, fault: string) {
  const trace = join(bench.root, 'sql-trace');
  const ended = await bench.runWith(sqlFaults({ SQL_FAULT: fault, SQL_TRACE: trace }));
  return { ended, ...readSqlTrace(trace) };
}

function killedOnly(ended: CliResult): string[] {
  return ended.code === null ? [] : [endingText(ended)];
}

/** True where a run ends as usual: a lock is requested again, and notifications are sent by the next run. */
function isOutlived(fault: string, { code, stderr }: CliResult): boolean {
  const isUnsent = /^notifications could not be sent: .*The result of the run itself is unchanged/m.test(
    stderr,
  );
  return code === 1 && (isUnsent || /^SQLITE_BUSY at (?:begin immediate|pragma busy_timeout)/i.test(fault));
}

/** A run that has to wait less queries the ledger less often, and may be over before its last statements; no other is left out. */
async function notReached(statement: number, ended: CliResult): Promise<string[]> {
  const { statements } = await usualRun();
  return ended.code === 1 && statement > statements * SURE ? [] : [`not reached: ${endingText(ended)}`];
}

async function everyHit(): Promise<{ name: Failpoint; hit: number }[]> {
  const { hits } = await usualRun();
  return FAILPOINTS.flatMap((name) =>
    Array.from({ length: hits.get(name) ?? 0 }, (_, index) => ({ name, hit: index + 1 })),
  );
}

async function everyStatement(): Promise<number[]> {
  const { statements } = await usualRun();
  return Array.from({ length: statements }, (_, index) => index + 1);
}

/** How many cases of each kind have run. */
const tried = new Map<string, number>();

afterAll(() => {
  for (const [what, count] of tried) console.log(`${count} ${what}`);
});

/** Runs one part of the cases, several at a time, and fails with all faults. */
async function sweep<T>(
  what: string,
  part: number,
  all: readonly T[],
  attempt: (one: T) => Promise<readonly string[]>,
): Promise<void> {
  const wanted = all
    .filter((_, index) => index % EVERY === 0)
    .filter((_, index) => index % PARTS.length === part - 1);
  tried.set(what, (tried.get(what) ?? 0) + wanted.length);
  const wrong: string[] = [];
  const worker = async () => {
    for (let one = wanted.shift(); one !== undefined; one = wanted.shift()) {
      const problems = await attempt(one);
      wrong.push(...problems.map((problem) => `${JSON.stringify(one)}: ${problem}`));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  expect(wrong).toEqual([]);
}

/** Between the attempt's record and that of its answer it is unknown whether the request was made. */
function maySendAgain(name: Failpoint): boolean {
  const first = FAILPOINTS.indexOf('attempt-written');
  return (
    FAILPOINTS.indexOf(name) >= first && FAILPOINTS.indexOf(name) < FAILPOINTS.indexOf('answer-recorded')
  );
}
