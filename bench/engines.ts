import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { csvOf, exportRows } from '../test/support/exports.js';
import { ownServer } from '../test/support/postgres-server.js';
import { benchWorkspace, stageIn } from './bench-workspace.js';
import { compare, type Measured, time } from './measure.js';

/**
 * A ledger in a file beside one in a PostgreSQL database on this machine, which writes to the disk as it does by default: staging one
 * export into an empty ledger, and the status of a ledger that has staged it. `npm run bench:engines -- 1000000` chooses the rows.
 */
const MAIN = fileURLToPath(new URL('../program/main.js', import.meta.url));
const rows = Number(process.argv[2] ?? 200_000);
const PIECE = 10_000;

const folder = mkdtempSync(join(tmpdir(), 'registrar-bench-'));
const server = await ownServer([]);
try {
  const file = join(folder, 'export.csv');
  const [header] = csvOf(exportRows(1)).split('\n');
  appendFileSync(file, `${header}\n`);
  for (let at = 0; at < rows; at += PIECE)
    appendFileSync(
      file,
      csvOf(exportRows(Math.min(PIECE, rows - at), at))
        .split('\n')
        .slice(1)
        .join('\n'),
    );
  let databases = 0;
  const inFile = () => benchWorkspace(join(folder, 'file'));
  const inDatabase = async () => {
    databases += 1;
    await server.administer(`create database bench_${databases} owner registrar`);
    process.env.REGISTRAR_LEDGER_URL = new URL(`/bench_${databases}`, server.url).href;
    const workspace = benchWorkspace(join(folder, 'database'));
    appendFileSync(join(workspace, 'registrar.yaml'), 'ledger: ${REGISTRAR_LEDGER_URL}\nworkspace: bench\n');
    return workspace;
  };
  await compare('staging', rows, 'file', {
    file: () => stageIn(inFile(), file, [0, 1]),
    database: async () => stageIn(await inDatabase(), file, [0, 1]),
  });
  await compare('status', rows, 'file', {
    file: () => status(join(folder, 'file', 'workspace')),
    database: () => status(join(folder, 'database', 'workspace')),
  });
} finally {
  server.stop();
  rmSync(folder, { recursive: true, force: true });
}

/** It ends with 1: what can't be delivered here needs attention. */
function status(workspace: string): Promise<Measured> {
  return time(
    process.execPath,
    [MAIN, 'status', '--workspace', workspace],
    { BENCH_SECRET: 'bench' },
    [0, 1],
  );
}
