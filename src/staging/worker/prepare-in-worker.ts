import { Worker } from 'node:worker_threads';
import type { SourceConfig } from '../../config/schema.js';
import { OperatorError } from '../../domain/operator-error.js';
import type { SeenFile } from '../../intake/opened-drop.js';
import type { DropPlan } from '../../reading/plan-drop.js';
import { UndecidedRow } from '../../reading/widening.js';
import type { PackedStep } from '../prepare/packed-step.js';
import type { LedgerFacts } from '../prepare/preparation.js';
import type { CopiedFailure } from './copied-failure.js';

/** What the worker thread needs; all of it can be copied to another thread. */
export interface WorkerTask {
  readonly path: string;
  readonly source: SourceConfig;
  readonly plan: DropPlan;
  readonly facts: LedgerFacts;
  /** Rows up to here are staged already. */
  readonly afterLine: number;
  readonly seen: SeenFile;
}

export type WorkerAnswer =
  | { readonly kind: 'step'; readonly step: PackedStep }
  | { readonly kind: 'end' }
  | { readonly kind: 'undecided' }
  | { readonly kind: 'failure'; readonly failure: CopiedFailure };

/**
 * The worker's young heap: each row leaves garbage at once, and with V8's own 48 MB it is collected later, not more
 * cheaply.
 */
const YOUNG_MB = 24;

/**
 * The packed steps of `prepareRows`, read and normalised on a worker thread while this thread writes. Needs the compiled
 * program. Throws what reading throws.
 * @param aheadRows how many rows the worker may be ahead of the writer: as many as one transaction writes, so that the
 *   worker reads meanwhile, and no more, so that memory stays flat.
 */
export async function* prepareInWorker(
  task: WorkerTask,
  aheadRows: () => number,
): AsyncGenerator<PackedStep> {
  const worker = new Worker(new URL('./prepare-worker.js', import.meta.url), {
    workerData: task,
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
  });
  const answers: WorkerAnswer[] = [];
  let broken: { error: unknown } | null = null as { error: unknown } | null;
  let wake = () => {};
  worker.on('message', (answer: WorkerAnswer) => {
    answers.push(answer);
    wake();
  });
  worker.on('error', (error) => {
    broken = { error };
    wake();
  });
  worker.on('exit', (code) => {
    broken ??= { error: new Error(`the reader thread ended with ${code} before its drop did`) };
    wake();
  });
  try {
    let ahead = aheadRows();
    worker.postMessage(ahead);
    for (;;) {
      const answer = answers.shift();
      if (answer === undefined) {
        if (broken) throw broken.error;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
        continue;
      }
      if (answer.kind === 'end') return;
      if (answer.kind === 'undecided') throw new UndecidedRow();
      if (answer.kind === 'failure') throw new OperatorError(answer.failure);
      const now = aheadRows();
      worker.postMessage(answer.step.rowsRead + now - ahead);
      ahead = now;
      yield answer.step;
    }
  } finally {
    await worker.terminate();
  }
}
