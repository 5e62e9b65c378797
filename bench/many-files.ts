import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { benchWorkspace, stageInbox } from './bench-workspace.js';

/**
 * The cost of a file apart from its rows: `run --no-push` over inboxes of files with one row each, including the start of
 * the process and the report. The cost of a file must not grow with their number. `npm run bench:files -- 1000 4000 16000`
 * chooses the numbers.
 */
const args = process.argv.slice(2).map(Number);
let before: { files: number; cpuMs: number } | null = null;
for (const files of args.length > 0 ? args : [1_000, 4_000]) {
  const { ms, cpuMs } = await measure(files);
  const each = `${(ms / files).toFixed(2)} ms and ${(cpuMs / files).toFixed(2)} ms of CPU each`;
  console.log(`${files.toLocaleString('en').padStart(7)} files: ${each}`);
  if (before !== null) {
    const growth = cpuMs / files / (before.cpuMs / before.files);
    console.log(`CPU per file: ${growth.toFixed(2)} x that of ${before.files.toLocaleString('en')} files`);
  }
  before = { files, cpuMs };
}

async function measure(files: number) {
  const folder = mkdtempSync(join(tmpdir(), 'registrar-bench-'));
  try {
    const workspace = benchWorkspace(folder);
    for (let file = 0; file < files; file += 1) {
      const row = `learner${file}@example.com,C-1,2024-03-01 10:00:00,85,Completed`;
      const text = `Email,Course ID,Completed on,Score,Status\n${row}\n`;
      writeFileSync(join(workspace, 'inbox', 'bench', `${file}.csv`), text);
    }
    return await stageInbox(workspace);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
