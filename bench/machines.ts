import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { startSandbox } from '../src/sandbox/server.js';
import { csvOf, exportRows } from '../test/support/exports.js';
import { ownServer } from '../test/support/postgres-server.js';
import { QUOTA_METERS } from '../test/support/quota-windows.js';
import { statsOf } from '../test/support/sandbox-stats.js';
import { time } from './measure.js';

/**
 * How three services share one PostgreSQL database: a hundred environments, each with a client id of its own and
 * a quota of 70 requests a minute, on a platform that answers after 100 ms. Prints the requests of the measured minutes beside what
 * the quotas allow, 60 / (60.5 + latency in seconds) of 7,000 a minute.
 * `npm run bench:machines -- 100 3` chooses environments and minutes. PostgreSQL writes to the disk as it does by default.
 */
const MAIN = fileURLToPath(new URL('../program/main.js', import.meta.url));
const SERVICES = 3;
const QUOTA = { requests: 70, perMs: 60_000 } as const;
const LATENCY_MS = 100;
const SCOPES = ['content:read', 'content:write', 'completions:read', 'completions:write'];
/** Services begin, take their leases and fill the first period. */
const BEGINNING_MS = 90_000;

const [environments = 100, minutes = 3] = process.argv.slice(2).map(Number);
const names = Array.from({ length: environments }, (_, n) => `e${n + 1}`);
const folder = mkdtempSync(join(tmpdir(), 'registrar-bench-'));
const database = await ownServer(['max_connections=300']);
const sandbox = await startSandbox({
  clients: names.map((name) => ({ clientId: name, clientSecret: `secret-${name}`, scopes: SCOPES })),
  quota: { ...QUOTA, meter: QUOTA_METERS.sliding },
  faults: { latencyMs: LATENCY_MS },
});
const services: ChildProcess[] = [];
try {
  const rows = QUOTA.requests * (minutes + 3);
  const root = workspaceIn(join(folder, 'one'), rows);
  const { ms } = await time(
    process.execPath,
    [MAIN, 'run', '--no-push', '--quiet', '--workspace', root],
    env(),
  );
  console.log(`${environments} files of ${rows} rows staged in ${(ms / 1_000).toFixed(0)} s`);
  for (let n = 0; n < SERVICES; n += 1)
    services.push(startService(n === 0 ? root : workspaceIn(join(folder, `${n}`), 0)));
  await pause(BEGINNING_MS);
  const before = statsOf(sandbox.platform).requests;
  await pause(minutes * 60_000);
  const requests = statsOf(sandbox.platform).requests - before;
  const allowed = environments * QUOTA.requests * minutes * (60 / (60.5 + LATENCY_MS / 1_000));
  const { overQuota, byStatus } = statsOf(sandbox.platform);
  console.log(
    `${requests.toLocaleString('en')} requests in ${minutes} min by ${SERVICES} services: ${(requests / (minutes * 60)).toFixed(0)} a second, ` +
      `${((100 * requests) / allowed).toFixed(1)} % of what the quotas allow; ${overQuota} over a quota, ${byStatus['429'] ?? 0} answered with 429`,
  );
} finally {
  for (const service of services) service.kill('SIGKILL');
  await sandbox.close();
  database.stop();
  rmSync(folder, { recursive: true, force: true });
}

/** A workspace of the same settings; the first has the files. */
function workspaceIn(root: string, rows: number): string {
  const settings = {
    ledger: '${REGISTRAR_LEDGER_URL}',
    workspace: 'bench',
    environments: Object.fromEntries(
      names.map((name) => [
        name,
        { baseUrl: sandbox.url, authUrl: sandbox.url, clientId: name, clientSecret: `\${SECRET_${name}}` },
      ]),
    ),
    sources: names.map((name) => ({
      ...{ name, operation: 'submit-completion', environment: name, stableFor: '0s', timeZone: 'UTC' },
    })),
  };
  mkdirSync(root, { recursive: true });
  // JSON is YAML.
  writeFileSync(join(root, 'registrar.yaml'), JSON.stringify(settings));
  for (const [index, name] of names.entries()) {
    if (rows === 0) break;
    mkdirSync(join(root, 'inbox', name), { recursive: true });
    writeFileSync(join(root, 'inbox', name, `${name}.csv`), csvOf(exportRows(rows, index * rows)));
  }
  return root;
}

function env(): Record<string, string> {
  const secrets = names.map((name) => [`SECRET_${name}`, `secret-${name}`]);
  return { REGISTRAR_LEDGER_URL: database.url, ...Object.fromEntries(secrets) };
}

function startService(workspace: string): ChildProcess {
  return spawn(process.execPath, [MAIN, 'schedule', '--quiet', '--workspace', workspace], {
    env: { ...process.env, ...env() },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}
