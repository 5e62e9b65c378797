import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { tempFolder } from '../support/temp-folder.js';
import { fuzzInput } from './fuzz-input.js';
import type { FuzzAnswer } from './fuzz-reader.js';

const READER = fileURLToPath(new URL('../../dist/test/properties/fuzz-reader.js', import.meta.url));

/** How long inputs are made up: `FUZZ_SECONDS`, else five minutes. */
const SECONDS = Number(process.env.FUZZ_SECONDS ?? 300);

/** `FUZZ_SEED`: the one input to read again. */
const ONLY_SEED = process.env.FUZZ_SEED === undefined ? null : Number(process.env.FUZZ_SEED);

/** `FUZZ_FROM`: where the inputs begin, so that two runs read the same ones; else anywhere. */
const FIRST_SEED = ONLY_SEED ?? Number(process.env.FUZZ_FROM ?? Math.floor(Math.random() * 2 ** 31));

/** Inputs are some kilobytes; on a busy machine they take a second at most. */
const DEADLINE_MS = 30_000;

const HEAP_MB = 256;
/** The heap, and memory outside of it: code, chunks of files, the batch that is full of gaps. */
const PEAK_MB = 600;

it(
  'no file, however damaged, crashes or hangs the reader or fills its memory',
  async () => {
    const path = join(tempFolder(), 'drop');
    let reader = startReader();
    onTestFinished(() => void reader.kill('SIGKILL'));
    const outcomes = { read: 0, refused: 0 };
    let peakMb = 0;
    const endMs = performance.now() + SECONDS * 1000;
    for (
      let seed = FIRST_SEED;
      seed === FIRST_SEED || (ONLY_SEED === null && performance.now() < endMs);
      seed += 1
    ) {
      writeFileSync(path, fuzzInput(seed));
      const answer = await answerOf(reader, path);
      const again = `Read it again with FUZZ_SEED=${seed} npm run test:long`;
      if (typeof answer === 'string') expect.fail(`The reader ${answer}. ${again}`);
      if (answer.outcome === 'crashed') expect.fail(`${answer.detail}\n${again}`);
      if (answer.peakMb > PEAK_MB) expect.fail(`The reader took ${answer.peakMb.toFixed(0)} MB. ${again}`);
      if (answer.outcome === 'refused') expect(answer.detail, again).toMatch(/^[^\n]{10,}\. [A-Z][^\n]*\.$/);
      outcomes[answer.outcome] += 1;
      peakMb = Math.max(peakMb, answer.peakMb);
      // A process that lives long would hide what a single file takes.
      if ((outcomes.read + outcomes.refused) % 2_000 === 0) {
        reader.kill('SIGKILL');
        reader = startReader();
      }
    }
    console.log(`${outcomes.read} files read, ${outcomes.refused} refused, at most ${peakMb.toFixed(0)} MB`);
    if (ONLY_SEED === null && SECONDS >= 10) {
      expect(outcomes.read).toBeGreaterThan(0);
      expect(outcomes.refused).toBeGreaterThan(0);
    }
  },
  (SECONDS + 120) * 1000,
);

function startReader(): ChildProcess {
  return fork(READER, { execArgv: [`--max-old-space-size=${HEAP_MB}`] });
}

/** The reader's result for a file, or why it has none. */
async function answerOf(reader: ChildProcess, path: string): Promise<FuzzAnswer | string> {
  const ended = new AbortController();
  const { signal } = ended;
  try {
    reader.send(path);
    return await Promise.race([
      once(reader, 'message', { signal }).then(([answer]) => answer as FuzzAnswer),
      once(reader, 'exit', { signal }).then(([code, killer]) => `ended with ${code ?? killer}`),
      pause(DEADLINE_MS, `did not answer in ${DEADLINE_MS} ms`, { signal }),
    ]);
  } finally {
    ended.abort();
  }
}
