import { Worker } from 'node:worker_threads';
import type { SourceConfig } from '../../config/schema.js';
import { OperatorError } from '../../domain/operator-error.js';
import type { SeenFile } from '../../intake/opened-drop.js';
import type { ReadingPlan } from '../../reading/plan-drop.js';
import type { CopiedFailure } from './copied-failure.js';

/** What planning on another thread needs; all of it can be copied there. */
export interface PlanTask {
  readonly path: string;
  readonly seen: SeenFile;
  readonly source: SourceConfig;
  readonly profiled: 'sample' | 'whole';
}

export type PlanAnswer =
  | { readonly kind: 'planned'; readonly planned: ReadingPlan }
  | { readonly kind: 'failure'; readonly failure: CopiedFailure };

/**
 * `planDrop` on a thread of its own: a look at a workbook's first rows takes all its texts into memory, which is given
 * back at once when the thread ends, and would else be there beside those of the thread that reads the rows. Needs the
 * compiled program. Throws what planning throws.
 */
export function planInWorker(task: PlanTask): Promise<ReadingPlan> {
  const worker = new Worker(new URL('./plan-worker.js', import.meta.url), { workerData: task });
  return new Promise((resolve, reject) => {
    worker.once('message', (answer: PlanAnswer) => {
      if (answer.kind === 'planned') resolve(answer.planned);
      else reject(new OperatorError(answer.failure));
    });
    worker.once('error', reject);
    worker.once('exit', (code) => reject(new Error(`the planning thread ended with ${code} and no plan`)));
  });
}
