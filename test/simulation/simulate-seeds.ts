import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { simulateWorld, type WorldResult } from './simulate-world.js';

/** One seed and how its world came to its end. */
export interface SeedResult {
  readonly seed: number;
  readonly result: WorldResult;
}

/** Which seeds a thread simulates: every `step`-th from `from` to `to`. */
interface Share {
  readonly from: number;
  readonly to: number;
  readonly step: number;
}

/** Simulates the seeds `from` to `to` on so many threads; `ended` is told of each as it comes, in no order, until `stop` is aborted. */
export async function simulateSeeds(
  from: number,
  to: number,
  threads: number,
  ended: (result: SeedResult) => void,
  stop?: AbortSignal,
): Promise<void> {
  await Promise.all(
    Array.from(
      { length: threads },
      (_, thread) =>
        new Promise<void>((resolve, reject) => {
          const share: Share = { from: from + thread, to, step: threads };
          const worker = new Worker(new URL(import.meta.url), { workerData: share });
          worker.on('message', ended);
          stop?.addEventListener('abort', () => void worker.terminate());
          worker.once('error', reject);
          worker.once('exit', () => resolve());
        }),
    ),
  );
}

if (!isMainThread) {
  const { from, to, step } = workerData as Share;
  for (let seed = from; seed <= to; seed += step) {
    const result = await simulateWorld(seed);
    // Of a world in which everything held nobody wants to read.
    const trace = result.violation === null ? [] : result.trace;
    parentPort?.postMessage({ seed, result: { ...result, trace } } satisfies SeedResult);
  }
}
