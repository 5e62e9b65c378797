import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { FAILPOINTS, type Failpoint } from '../../src/domain/failpoint.js';
import { goesOn, said, usualRun, wrongFailure } from '../support/after-a-fault.js';
import { crashBench, sqlFaults } from '../support/crash-bench.js';
import { killedInTurn } from '../support/killed-in-turn.js';

/** Of all moments and statements, every how many-th is tried: `CRASH_EVERY`, else every one; of steps in turn at least each third. */
const EVERY = Number(process.env.CRASH_EVERY ?? 1);

/** A sweep is divided into tests, so that a failure shows early and folders don't pile up. */
const PARTS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] as const;

/** What the program says where SQLite reports these. */
const SENTENCES = {
  SQLITE_FULL: 'The disk is full. Make room and run again: nothing is lost.',
  SQLITE_IOERR: 'Reading or writing failed. Check the disk, then run again.',
  SQLITE_BUSY: 'Another program keeps the ledger locked. Close it and run again.',
} as const;

it('kill -9 at each step in turn, run after run, ends where a run ends that nothing happens to', async () => {
  const every = Math.min(EVERY, 3);
  await killedInTurn(FAILPOINTS.filter((_, index) => index % every === 0));
});

describe.each(PARTS)(`part %i of ${PARTS.length}`, (part) => {
  it('kill -9 at every time a run passes every moment, and in the next run at the first time', async () => {
    await sweep(part, await everyHit(), async ({ name, hit }) => {
      const bench = await crashBench();
      const killed = await bench.runWith({ REGISTRAR_FAILPOINT: `${name}:${hit}` });
      if (killed.code !== null) return [said(killed)];
      await bench.runWith({ REGISTRAR_FAILPOINT: name });
      // A copy is there and its original still is: nobody can tell that from a file that came again.
      return goesOn(bench, { repeats: maySendAgain(name), arrivals: name.startsWith('copy-') });
    });
  });

  it('kill -9 before every SQL statement', async () => {
    await sweep(part, await everyStatement(), async (statement) => {
      const bench = await crashBench();
      const killed = await bench.runWith(sqlFaults({ SQL_FAULT: `kill:${statement}` }));
      // A run that has to wait less asks the ledger less often, and may be over before.
      const wrong = killed.code === null || killed.code === 1 ? [] : [said(killed)];
      return [...wrong, ...(await goesOn(bench))];
    });
  });

  it('an error of disk or ledger at every SQL statement: exit code 74 and one sentence', async () => {
    await sweep(part, await everyStatement(), async (statement) => {
      const [code, sentence] = Object.entries(SENTENCES)[statement % 3] ?? ['', ''];
      const bench = await crashBench();
      const trace = join(bench.root, 'sql-trace');
      const failed = await bench.runWith(sqlFaults({ SQL_FAULT: `${code}:${statement}`, SQL_TRACE: trace }));
      const isReached = Number(readFileSync(trace, 'utf8')) >= statement;
      return [...(isReached ? wrongFailure(failed, sentence) : []), ...(await goesOn(bench))];
    });
  });
});

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

/** Tries one part of what is to be tried, two at a time, and fails with all that went wrong. */
async function sweep<T>(
  part: number,
  all: readonly T[],
  attempt: (one: T) => Promise<readonly string[]>,
): Promise<void> {
  const wanted = all
    .filter((_, index) => index % EVERY === 0)
    .filter((_, index) => index % PARTS.length === part - 1);
  const wrong: string[] = [];
  const worker = async () => {
    for (let one = wanted.shift(); one !== undefined; one = wanted.shift()) {
      const problems = await attempt(one);
      wrong.push(...problems.map((problem) => `${JSON.stringify(one)}: ${problem}`));
    }
  };
  await Promise.all([worker(), worker()]);
  expect(wrong).toEqual([]);
}

/** Between the attempt's record and that of its answer nobody can know whether the request was made. */
function maySendAgain(name: Failpoint): boolean {
  const first = FAILPOINTS.indexOf('attempt-written');
  return (
    FAILPOINTS.indexOf(name) >= first && FAILPOINTS.indexOf(name) < FAILPOINTS.indexOf('answer-recorded')
  );
}
