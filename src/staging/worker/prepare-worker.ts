import { on } from 'node:events';
import { setFlagsFromString } from 'node:v8';
import { parentPort, workerData } from 'node:worker_threads';
import { systemClock } from '../../domain/clock.js';
import { OperatorError } from '../../domain/operator-error.js';
import { withPath } from '../../domain/process/io-hints.js';
import { openDrop } from '../../intake/open-drop.js';
import { type ReadRowsFile, readRowsFile } from '../../ledger/submissions/staging/read-rows.js';
import { UndecidedRow } from '../../reading/table.js';
import { type PreparedStep, prepareRows } from '../prepare/prepare-rows.js';
import {
  type FileOfRows,
  MAX_BATCH_LENGTH,
  type WorkerAnswer,
  type WorkerTask,
} from './prepare-in-worker.js';

/*
 * The worker thread of `prepare-in-worker`: reads, normalises and keys one drop, a batch ahead of the writer. Garbage
 * collection starts when the heap has grown by a quarter, not when it has doubled: the texts of a large workbook stay in
 * memory while its rows are read, and would be joined by as much garbage. The earlier collection has no measurable cost.
 */
setFlagsFromString('--heap-growing-percent=25');
const port = parentPort;
if (!port) throw new Error('prepare-worker runs as a worker thread only');

/** How many rows each of the next files may have. */
const batchSizes = on(port, 'message');

const task = workerData as WorkerTask;
try {
  await prepare();
  answer({ kind: 'end' });
} catch (error) {
  answer(failureOf(withPath(error, task.batches)));
}
port.close();

async function prepare(): Promise<void> {
  const opened = await openDrop(task.path, task.source, task.snapshot);
  const preparation = { ...task.facts, source: task.source, clock: systemClock() };
  const batches = batchWriter();
  const steps = prepareRows(opened, preparation, task.plan, task.afterLine);
  for await (const { rows, ...step } of steps) {
    answer({ kind: 'step', step: { ...step, file: rows.length === 0 ? null : await batches.add(rows) } });
  }
  answer({ kind: 'step', step: { rowsRead: 0, file: batches.close() } });
}

/** Collects rows in a file until it has as many as requested. */
function batchWriter() {
  let open: { readonly file: ReadRowsFile; readonly path: string; readonly most: number } | null = null;
  let number = 0;
  let count = 0;
  let length = 0;
  return {
    /** @returns the file if these rows complete it; null: it is not complete yet. */
    async add(rows: PreparedStep['rows']): Promise<FileOfRows | null> {
      if (open === null) {
        const most: number = (await batchSizes.next()).value[0];
        const path = `${task.batches}${++number}`;
        open = { file: readRowsFile(path), path, most };
      }
      for (const row of rows) {
        open.file.add(row);
        length += row.cells?.length ?? 0;
      }
      count += rows.length;
      return count >= open.most || length >= MAX_BATCH_LENGTH ? this.close() : null;
    },
    /** @returns the file with the last rows; null: there are none. */
    close(): FileOfRows | null {
      if (open === null) return null;
      const { file, path } = open;
      file.close();
      const closed = { path, rows: count, length };
      [open, count, length] = [null, 0, 0];
      return closed;
    },
  };
}

function answer(message: WorkerAnswer): void {
  port?.postMessage(message);
}

/** Throws an error that is neither an OperatorError nor has a code: it is a bug. */
function failureOf(error: unknown): WorkerAnswer {
  if (error instanceof UndecidedRow) return { kind: 'undecided' };
  if (error instanceof OperatorError) {
    const { operation, subject, message, hint, exit } = error;
    return { kind: 'operator', operation, subject, message, hint, exit };
  }
  const { message, code, path } = (error ?? {}) as { message: string; code?: unknown; path?: unknown };
  if (typeof code !== 'string') throw error;
  return { kind: 'io', message, code, path: String(path ?? '') };
}
