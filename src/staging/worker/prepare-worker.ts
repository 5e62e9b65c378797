import { parentPort, workerData } from 'node:worker_threads';
import { systemClock } from '../../domain/clock.js';
import { openDrop } from '../../intake/open-drop.js';
import { UndecidedRow } from '../../reading/widening.js';
import { packStep } from '../prepare/packed-step.js';
import { preparationOf } from '../prepare/preparation.js';
import { prepareRows } from '../prepare/prepare-rows.js';
import { copiedFailure } from './copied-failure.js';
import type { WorkerAnswer, WorkerTask } from './prepare-in-worker.js';
import { keepHeapSmall } from './small-heap.js';

/** The worker thread of `prepare-in-worker`: reads, normalises and keys one drop, a few batches ahead of the writer. */
keepHeapSmall();
const port = parentPort;
if (!port) throw new Error('prepare-worker runs as a worker thread only');

/** Rows that may be handed over before the writer asks for more. */
let credit = 0;
let wake = () => {};
port.on('message', (more: number) => {
  credit += more;
  wake();
});

try {
  await prepare(workerData as WorkerTask);
  answer({ kind: 'end' });
} catch (error) {
  answer(
    error instanceof UndecidedRow
      ? { kind: 'undecided' }
      : { kind: 'failure', failure: copiedFailure(error) },
  );
}
port.close();

async function prepare(task: WorkerTask): Promise<void> {
  const opened = await openDrop(task.path, task.source, task.seen);
  const preparation = preparationOf(task.source, task.facts, systemClock());
  for await (const step of prepareRows(opened, preparation, task.plan, task.afterLine)) {
    while (credit <= 0) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
    credit -= step.rowsRead;
    answer({ kind: 'step', step: packStep(step) });
  }
}

function answer(message: WorkerAnswer): void {
  port?.postMessage(message);
}
