import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import type { WorldResult } from './simulate-world.js';

/** One seed and how its world came to its end. */
export interface SeedResult {
  readonly seed: number;
  readonly result: WorldResult;
}

/** Which seeds a thread simulates. */
interface Share {
  readonly from: number;
  readonly to: number;
}

/**
 * Seeds a thread simulates before a new one takes its place: what waits in a dead process waits for ever, and is thrown
 * away with its thread.
 */
const SHARE = 200;

/** Simulates the seeds `from` to `to` on so many threads; `ended` is called with each as it comes, in no order, until `stop` is aborted. */
export async function simulateSeeds(
  from: number,
  to: number,
  threads: number,
  ended: (result: SeedResult) => void,
  stop?: AbortSignal,
): Promise<void> {
  let next = from;
  const takeShares = async () => {
    while (next <= to && !stop?.aborted) {
      const share = { from: next, to: Math.min(to, next + SHARE - 1) };
      next = share.to + 1;
      await simulateShare(share, ended, stop);
    }
  };
  await Promise.all(Array.from({ length: threads }, takeShares));
}

function simulateShare(
  share: Share,
  ended: (result: SeedResult) => void,
  stop: AbortSignal | undefined,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL(import.meta.url), { workerData: share });
    const terminate = () => void worker.terminate();
    worker.on('message', ended);
    stop?.addEventListener('abort', terminate);
    worker.once('error', reject);
    worker.once('exit', () => {
      stop?.removeEventListener('abort', terminate);
      resolve();
    });
  });
}

if (!isMainThread) {
  // The thread that only starts others would load the whole program as well.
  const { simulateWorld } = await import('./simulate-world.js');
  const { from, to } = workerData as Share;
  for (let seed = from; seed <= to; seed += 1) {
    const result = await simulateWorld(seed);
    // A world in which everything held needs no report.
    const trace = result.violation === null ? [] : result.trace;
    parentPort?.postMessage({ seed, result: { ...result, trace } } satisfies SeedResult);
  }
}
