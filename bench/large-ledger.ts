import { appendFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { answerLedger } from './answer-ledger.js';
import { benchWorkspace, stageIn } from './bench-workspace.js';
import { msSince } from './measure.js';

/** The files that the rows of a large ledger come in. */
export const FILES = 10;

/**
 * A workspace with a ledger of so many rows, staged by `registrar run` from ten files of which one row in a hundred is
 * invalid, then given a history. A ledger that is in the folder already is used as is.
 */
export async function largeWorkspace(folder: string, rows: number): Promise<string> {
  const workspace = join(folder, 'workspace');
  const ledger = join(workspace, 'registrar.db');
  if (statSync(ledger, { throwIfNoEntry: false }) === undefined) await build(folder, rows, ledger);
  return workspace;
}

async function build(folder: string, rows: number, ledger: string): Promise<void> {
  const started = process.hrtime.bigint();
  const workspace = benchWorkspace(folder);
  for (let file = 0; file < FILES; file += 1) {
    const path = join(folder, `export-${file}.csv`);
    writeExport(path, rows, file * (rows / FILES), (file + 1) * (rows / FILES));
    await stageIn(workspace, path, [1]);
    rmSync(path);
  }
  console.log(`staged in ${(msSince(started) / 1000).toFixed(0)} s`);
  answerLedger(ledger);
  console.log(`with its history after ${(msSince(started) / 1000).toFixed(0)} s`);
}

/** A learner has ten rows or so; one row in a hundred has an unreadable time. */
export function writeExport(path: string, rows: number, from: number, to: number): void {
  writeFileSync(path, 'Email,Course ID,Course Name,Completed on,Score,Status,Department\n');
  const PIECE_ROWS = 50_000;
  for (let start = from; start < to; start += PIECE_ROWS) {
    let lines = '';
    for (let row = start; row < Math.min(to, start + PIECE_ROWS); row += 1) {
      const day = String(1 + (row % 28)).padStart(2, '0');
      const at =
        row % 100 === 37
          ? 'soon'
          : `2025-0${1 + (row % 9)}-${day} 10:${String(row % 60).padStart(2, '0')}:00`;
      lines += `${learner((row * 7919) % (rows / 10))},C-${row % 1_999},Course number ${row % 1_999},${at},${row % 101},Completed,Department ${row % 17}\n`;
    }
    appendFileSync(path, lines);
  }
}

/** The identifier of a learner. */
export function learner(n: number): string {
  return `learner${n}@northwind.example`;
}
