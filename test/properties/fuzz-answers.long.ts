import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import type { FuzzedDelivery } from './fuzz-delivery.js';

const DELIVERY = fileURLToPath(new URL('../../dist/test/properties/fuzz-delivery.js', import.meta.url));

/** How long answers are made up: `FUZZ_SECONDS`, else five minutes. */
const SECONDS = Number(process.env.FUZZ_SECONDS ?? 300);

/** `FUZZ_SEED`: the one delivery to make again. */
const ONLY_SEED = process.env.FUZZ_SEED === undefined ? null : Number(process.env.FUZZ_SEED);

/** `FUZZ_FROM`: where the seeds begin, so that two runs draw the same; else anywhere. */
const FIRST_SEED = ONLY_SEED ?? Number(process.env.FUZZ_FROM ?? Math.floor(Math.random() * 2 ** 31));

/** A delivery takes some tens of milliseconds, and on a busy machine a second. */
const DEADLINE_MS = 30_000;

it(
  'no answer of a platform, however odd, breaks a run, loses a row or passes for a success',
  async () => {
    let delivery = fork(DELIVERY);
    onTestFinished(() => void delivery.kill('SIGKILL'));
    const sums = { deliveries: 0, requests: 0, accepted: 0 };
    const endMs = performance.now() + SECONDS * 1000;
    for (
      let seed = FIRST_SEED;
      seed === FIRST_SEED || (ONLY_SEED === null && performance.now() < endMs);
      seed += 1
    ) {
      const result = await resultOf(delivery, seed);
      const again = `Deliver again with FUZZ_SEED=${seed} npm run test:long`;
      if (typeof result === 'string') expect.fail(`The delivery ${result}. ${again}`);
      if (result.fault !== null) expect.fail(`${result.fault}\n${again}`);
      sums.deliveries += 1;
      sums.requests += result.requests;
      sums.accepted += result.accepted;
      // Statements and timers of thousands of ledgers would fill its memory.
      if (sums.deliveries % 500 === 0) {
        delivery.kill('SIGKILL');
        delivery = fork(DELIVERY);
      }
    }
    console.log(`${sums.deliveries} deliveries, ${sums.requests} answers, ${sums.accepted} rows accepted`);
    if (ONLY_SEED === null && SECONDS >= 10) expect(sums.accepted).toBeGreaterThan(0);
  },
  (SECONDS + 120) * 1000,
);

/** The delivery's result for a seed, or why it has none. */
async function resultOf(delivery: ChildProcess, seed: number): Promise<FuzzedDelivery | string> {
  const ended = new AbortController();
  const { signal } = ended;
  try {
    delivery.send(seed);
    return await Promise.race([
      once(delivery, 'message', { signal }).then(([result]) => result as FuzzedDelivery),
      once(delivery, 'exit', { signal }).then(([code, killer]) => `ended with ${code ?? killer}`),
      pause(DEADLINE_MS, `did not end in ${DEADLINE_MS} ms`, { signal }),
    ]);
  } finally {
    ended.abort();
  }
}
