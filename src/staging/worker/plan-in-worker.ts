import { Worker } from 'node:worker_threads';
import type { SourceConfig } from '../../config/schema.js';
import type { SeenFile } from '../../intake/opened-drop.js';
import type { ReadingPlan } from '../../reading/plan-drop.js';
import type { Profiled } from '../../reading/table.js';
import { type CopiedFailure, failureOf } from './copied-failure.js';

/** What planning on another thread needs; all of it can be copied to that thread. */
export interface PlanTask {
  readonly path: string;
  readonly seen: SeenFile;
  readonly source: SourceConfig;
  readonly profiled: Profiled;
}

export type PlanAnswer =
  | { readonly kind: 'planned'; readonly planned: ReadingPlan }
  | { readonly kind: 'failure'; readonly failure: CopiedFailure };

/**
 * `planDrop` on a thread of its own: to look at a workbook's first rows, all its texts are loaded into memory. That memory
 * is released at once when the thread ends; on this thread it would stay, beside the texts of the thread that reads the
 * rows. Needs the compiled program. Throws what planning throws.
 */
export function planInWorker(task: PlanTask): Promise<ReadingPlan> {
  const worker = new Worker(new URL('./plan-worker.js', import.meta.url), { workerData: task });
  return new Promise((resolve, reject) => {
    worker.once('message', (answer: PlanAnswer) => {
      if (answer.kind === 'planned') resolve(answer.planned);
      else reject(failureOf(answer.failure));
    });
    worker.once('error', reject);
    worker.once('exit', (code) => reject(new Error(`the planning thread ended with ${code} and no plan`)));
  });
}
