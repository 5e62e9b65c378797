import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { answerLedger } from './answer-ledger.js';
import { benchWorkspace, configureBench, stageIn, stageInbox } from './bench-workspace.js';
import { writeExport } from './large-ledger.js';

/**
 * The result of one file for its sender: time and memory of a run that writes it, for a file with a history of which about one row in
 * eleven needs attention, beside a run that finds nothing to do. `npm run bench:results -- 1000000` chooses the rows.
 */
const rows = Number(process.argv[2] ?? 1_000_000);
const folder = mkdtempSync(join(tmpdir(), 'registrar-bench-'));
try {
  const workspace = benchWorkspace(folder, { results: { folder: 'results' } });
  const file = join(folder, 'export.csv');
  writeExport(file, rows, 0, rows);
  await stageIn(workspace, file, [1]);
  rmSync(file);
  answerLedger(join(workspace, 'registrar.db'));
  // Some rows wait on: their file's result is due nevertheless.
  configureBench(workspace, { results: { folder: 'results', within: '1s' } });
  const writing = await stageInbox(workspace);
  const idle = await stageInbox(workspace);
  console.log(`\nThe result of a file of ${rows.toLocaleString('en')} rows`);
  for (const [name, { ms, cpuMs, peakMb }] of Object.entries({
    'written by a run': writing,
    'run without work': idle,
  }))
    console.log(
      `${name.padEnd(17)} ${ms.toFixed(0).padStart(7)} ms  ${cpuMs.toFixed(0).padStart(7)} ms of CPU  ${peakMb.toFixed(0).padStart(5)} MB`,
    );
  for (const name of readdirSync(join(workspace, 'results'))) {
    const { size } = statSync(join(workspace, 'results', name));
    console.log(`${name.padEnd(42)} ${(size / 1e6).toFixed(1).padStart(7)} MB`);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
