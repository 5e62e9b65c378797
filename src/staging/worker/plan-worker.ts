import { parentPort, workerData } from 'node:worker_threads';
import { openDrop } from '../../intake/open-drop.js';
import { operationNamed } from '../../operations/registry.js';
import { planDrop } from '../../reading/plan-drop.js';
import { copiedFailure, keepHeapSmall } from './copied-failure.js';
import type { PlanAnswer, PlanTask } from './plan-in-worker.js';

/** The worker thread of `plan-in-worker`. */
keepHeapSmall();
parentPort?.postMessage(await planned(workerData as PlanTask));

async function planned({ path, seen, source, profiled }: PlanTask): Promise<PlanAnswer> {
  try {
    const opened = await openDrop(path, source, seen);
    const operation = operationNamed(source.operation);
    return { kind: 'planned', planned: await planDrop(opened, operation, source, profiled) };
  } catch (error) {
    return { kind: 'failure', failure: copiedFailure(error) };
  }
}
