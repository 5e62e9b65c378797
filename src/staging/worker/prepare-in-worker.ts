import { on } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { SourceConfig } from '../../config/schema.js';
import { OperatorError } from '../../domain/operator-error.js';
import type { FileSnapshot } from '../../intake/opened-drop.js';
import { removeReadFiles } from '../../ledger/submissions/staging/read-rows.js';
import type { DropPlan } from '../../reading/plan-drop.js';
import { UndecidedRow } from '../../reading/table.js';
import type { LedgerFacts, PreparedStep } from '../prepare/prepare-rows.js';

/** What the worker thread needs, in a form that can be copied to another thread. */
export interface WorkerTask {
  readonly path: string;
  readonly source: SourceConfig;
  readonly plan: DropPlan;
  readonly facts: LedgerFacts;
  /** Rows up to this line are already staged. */
  readonly afterLine: number;
  readonly snapshot: FileSnapshot;
  /** The prefix of the paths of its files with rows; no other file has it. */
  readonly batches: string;
}

/** The most characters of the cells of a transaction's rows, which can be long. */
export const MAX_BATCH_LENGTH = 16_000_000;

export interface FileOfRows {
  readonly path: string;
  readonly rows: number;
  /** The characters in their cells. */
  readonly length: number;
}

/** A step through a drop; its rows, and those of the steps before it, are in a file. */
export interface StepInFile extends Pick<PreparedStep, 'rowsRead' | 'hiddenRows' | 'judged'> {
  /** The file, which exists until the next step is requested; null: it is not complete yet. */
  readonly file: FileOfRows | null;
}

export type WorkerAnswer =
  | { readonly kind: 'step'; readonly step: StepInFile }
  | { readonly kind: 'end' }
  | { readonly kind: 'undecided' }
  /** An OperatorError without its cause: threads copy the fields of an error, and not its class. */
  | ({ readonly kind: 'operator' } & Pick<
      OperatorError,
      'operation' | 'subject' | 'message' | 'hint' | 'exit'
    >)
  /** An error of the disk or the database. */
  | { readonly kind: 'io'; readonly message: string; readonly code: string; readonly path: string };

/** The size of the worker's young heap. Rows are short-lived; with V8's default of 48 MB they are collected later, at no lower cost. */
const YOUNG_MB = 24;

/** How many files the worker may have ahead of the writer: the one that is imported, and the next. */
const FILES_AHEAD = 2;

/**
 * The steps of `prepareRows`, read and normalised on a worker thread while this thread writes. Needs the compiled
 * program. Throws what reading throws. The caller deletes each file. Call it under the stage lease.
 * @param batchRows how many rows the next transaction writes: the size of the next file.
 */
export async function* prepareInWorker(
  task: WorkerTask,
  batchRows: () => number,
): AsyncGenerator<StepInFile> {
  const worker = new Worker(new URL('./prepare-worker.js', import.meta.url), {
    workerData: task,
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
  });
  // An error of the thread is thrown after the answers before it were handled.
  let isComplete = false;
  const messages = on(worker, 'message', { close: ['exit'] });
  try {
    for (let file = 0; file < FILES_AHEAD; file += 1) worker.postMessage(batchRows());
    for await (const [message] of messages) {
      const answer: WorkerAnswer = message;
      if (answer.kind === 'end') {
        isComplete = true;
        return;
      }
      if (answer.kind === 'undecided') throw new UndecidedRow();
      if (answer.kind === 'operator') throw new OperatorError(answer);
      if (answer.kind === 'io') {
        const { message, code, path } = answer;
        throw Object.assign(new Error(message), { code, path });
      }
      yield answer.step;
      if (answer.step.file !== null) worker.postMessage(batchRows());
    }
    throw new Error('the reader thread ended before its drop did');
  } finally {
    await worker.terminate();
    if (!isComplete) removeReadFiles(task.batches);
  }
}
