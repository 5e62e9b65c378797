import { rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { goesOn, wrongFailure } from '../support/after-a-fault.js';
import { crashBench, sqlFaults } from '../support/crash-bench.js';
import { smallFileSystem } from '../support/small-file-system.js';

/** As in the sweep of crashes, but never so coarse that nothing is between empty and enough. */
const EVERY = Number(process.env.CRASH_EVERY ?? 1);
const PAGES_STEP = Math.min(EVERY, 55);
const STEP = Math.min(EVERY, 40);

it('a ledger that may not grow ends the run with 74, and the next one delivers all', async () => {
  const wrong: string[] = [];
  let isEnough = false;
  let failures = 0;
  for (let pages = 3; !isEnough; pages += PAGES_STEP) {
    const bench = await crashBench();
    const failed = await bench.runWith(sqlFaults({ SQL_MAX_PAGES: String(pages) }));
    isEnough = failed.code === 1;
    if (!isEnough) failures += 1;
    const problems = [...(isEnough ? [] : wrongFailure(failed, FULL)), ...(await goesOn(bench))];
    wrong.push(...problems.map((problem) => `${pages} pages: ${problem}`));
  }
  expect(wrong).toEqual([]);
  expect(failures).toBeGreaterThan(2);
});

it('a file system that is full ends the run with 74, and the next one delivers all', {
  tags: ['mount'],
}, async () => {
  const wrong: string[] = [];
  let isEnough = false;
  let failures = 0;
  for (let freeKb = 64; !isEnough; freeKb += 128 * STEP) {
    const root = smallFileSystem();
    const bench = await crashBench({ root });
    const filler = join(root, 'filler');
    writeFileSync(filler, Buffer.alloc((freeKbOf(root) - freeKb) * 1024));
    const failed = await bench.runWith();
    rmSync(filler);
    isEnough = failed.code === 1;
    if (!isEnough) failures += 1;
    const problems = [...(isEnough ? [] : wrongFailure(failed, '')), ...(await goesOn(bench))];
    wrong.push(...problems.map((problem) => `${freeKb} KB free: ${problem}`));
  }
  expect(wrong).toEqual([]);
  // At coarse steps, of megabytes, only two sizes are too small.
  expect(failures).toBeGreaterThan(STEP === 1 ? 2 : 1);
});

const FULL = "registrar.db can't grow. Make room and run again: nothing is lost.";

function freeKbOf(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return Math.floor((bavail * bsize) / 1024);
}
