import { rmSync, writeFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { dirname, join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../src/domain/clock.js';
import { fileOf } from '../../src/ledger/store/query.js';
import { jobTracker } from '../../src/monitor/job-tracker.js';
import { FAMILIES } from '../../src/monitor/metrics.js';
import { monitorRoutes, startMonitor } from '../../src/monitor/monitor-routes.js';
import { actionContext } from '../support/action-context.js';
import { type ManualClock, manualClock } from '../support/manual-clock.js';
import { document, table } from '../support/markdown.js';
import { stage, testLedger } from '../support/staged-ledger.js';

const VALID = JSON.stringify({
  environments: {
    main: {
      baseUrl: 'https://platform.example',
      authUrl: 'https://login.platform.example',
      clientId: 'x',
      clientSecret: '${THE_SECRET}',
    },
  },
  sources: [{ name: 'academy', operation: 'submit-completion', environment: 'main' }],
});
const ENV = { THE_SECRET: 'a-secret-of-the-environment' };

/** A monitor on a free port, over a ledger with one waiting row. */
async function monitored(clock: ManualClock = manualClock()) {
  const ledger = testLedger(clock);
  const root = dirname(fileOf(ledger).path);
  const yaml = (text: string) => writeFileSync(join(root, 'registrar.yaml'), text);
  yaml(VALID);
  await stage(ledger, [{ user: 'ada@learners.example' }]);
  const failures: unknown[] = [];
  const jobs = jobTracker(clock);
  jobs.setJobs([{ name: 'run', lastSuccessAt: null, nextAt: () => null }]);
  const listen = { host: '127.0.0.1', port: 0 };
  const context = { ...actionContext(ledger), env: ENV };
  const onFailure = (error: unknown) => void failures.push(error);
  const monitor = await startMonitor(listen, monitorRoutes({ context: () => context, jobs, onFailure }));
  onTestFinished(() => monitor.close());
  const get = (path: string, init?: RequestInit) => fetch(`http://${monitor.address}${path}`, init);
  return { clock, ledger, yaml, jobs, failures, get, monitor, listen, context };
}

/** What /readyz answers: its status, and the codes and sentences of its findings. */
async function ready({ get, clock }: Awaited<ReturnType<typeof monitored>>) {
  clock.pass(5_000);
  const answer = await get('/readyz');
  const { findings } = (await answer.json()) as { findings: { code: string; message: string }[] };
  return { status: answer.status, codes: findings.map(({ code }) => code), text: JSON.stringify(findings) };
}

it('is alive while the loop behind its jobs turns, and not once it hangs for two minutes', async () => {
  const world = await monitored();
  expect((await world.get('/healthz')).status).toBe(200);
  world.clock.pass(119_000);
  expect((await world.get('/healthz')).status).toBe(200);
  world.clock.pass(2_000);
  expect((await world.get('/healthz')).status).toBe(503);
  world.jobs.heartbeat();
  expect((await world.get('/healthz')).status).toBe(200);
});

it('is ready until registrar.yaml is invalid, says why without its secrets, and is ready again once it is corrected', async () => {
  const world = await monitored();
  expect(await ready(world)).toMatchObject({ status: 200, codes: [] });
  world.yaml(VALID.replace('submit-completion', 'submit-nothing'));
  const wrong = await ready(world);
  expect(wrong).toMatchObject({ status: 503, codes: ['configuration-invalid'] });
  expect(wrong.text).toMatch(/registrar\.yaml:1: sources\[0\]\.operation/);
  expect(wrong.text).not.toContain(ENV.THE_SECRET);
  world.yaml(VALID);
  expect(await ready(world)).toMatchObject({ status: 200 });
});

it('is not ready while another program keeps the ledger locked, and answers at once meanwhile', async () => {
  const world = await monitored();
  const other = new BetterSqlite3(fileOf(world.ledger).path);
  other.exec('begin immediate');
  const locked = await ready(world);
  expect(locked).toMatchObject({ status: 503, codes: ['ledger-locked'] });
  expect((await world.get('/metrics')).status).toBe(200);
  other.exec('rollback');
  other.close();
  expect(await ready(world)).toMatchObject({ status: 200 });
});

it('is not ready once the ledger was moved away, although this process still has it open', async () => {
  const world = await monitored();
  rmSync(fileOf(world.ledger).path);
  const gone = await ready(world);
  expect(gone).toMatchObject({ status: 503, codes: ['ledger-missing'] });
  expect(gone.text).toContain('was moved away or deleted');
  world.clock.pass(5_000);
  const metrics = await (await world.get('/metrics')).text();
  expect(metrics).toContain('registrar_ledger_readable 0');
  expect(metrics).toContain('registrar_ready 0');
  expect(metrics).not.toContain('registrar_submissions');
  expect(world.failures).not.toEqual([]);
});

it('serves the metrics of docs/monitoring.md, and neither a learner nor a file is in them', async () => {
  const world = await monitored();
  await world.jobs.track(
    'run',
    async () => {},
    () => ({ end: 'done', isSuccess: true }),
  );
  const text = await (await world.get('/metrics')).text();
  const typeOf = (name: string) => (name.endsWith('_total') ? 'counter' : 'gauge');
  const rows = FAMILIES.map(({ name, labels, help }) => {
    const shown = labels.map((label) => `\`${label}\``).join(', ');
    return `| \`${name}\` | ${typeOf(name)} | ${shown} | ${help} |`;
  });
  const head = ['| metric | type | labels | meaning |', '|---|---|---|---|'];
  expect(table(document('docs/monitoring.md'), 'Metrics')).toBe([...head, ...rows].join('\n'));
  for (const { name, help } of FAMILIES) {
    if (MISSING_HERE.includes(name)) continue;
    expect(text).toContain(`# HELP ${name} ${help}\n# TYPE ${name} ${typeOf(name)}\n${name}`);
  }
  expect(text).toContain('registrar_submissions{environment="main",state="waiting",cause=""} 1');
  expect(text).toContain('registrar_submissions{environment="main",state="accepted",cause=""} 0');
  expect(text).toContain('registrar_rows_read_total{source="academy",disposition="staged"} 1');
  expect(text).toContain('registrar_job_last_end{name="run",end="done"} 1');
  expect(text).toMatch(/^process_resident_memory_bytes \d+$/m);
  expect(text).not.toMatch(/learners\.example|drop-\d+\.csv|a-secret/);
});

/** These have no value without a request, a deliverBy and a clock of jobs, and before the first count has ended. */
const MISSING_HERE = [
  'registrar_drop_last_arrival_timestamp_seconds',
  'registrar_attempts_total',
  'registrar_deliver_by_timestamp_seconds',
  'registrar_deliver_by_held',
  'registrar_job_next_timestamp_seconds',
];

it('reads numbers again only after two seconds, however many requests come', async () => {
  const world = await monitored();
  const waiting = async () =>
    /state="waiting",cause=""} (\d+)/.exec(await (await world.get('/metrics')).text())?.[1];
  expect(await waiting()).toBe('1');
  await stage(world.ledger, [{ user: 'bea@learners.example' }]);
  expect(await waiting()).toBe('1');
  world.clock.pass(2_000);
  expect(await waiting()).toBe('2');
});

it('answers nothing but GET and HEAD of its three paths', async () => {
  const { get, monitor } = await monitored();
  expect((await get('/metrics', { method: 'POST', body: 'x' })).status).toBe(405);
  const head = await get('/metrics', { method: 'HEAD' });
  expect([head.status, await head.text()]).toEqual([200, '']);
  expect((await get('/')).status).toBe(404);
  expect((await get('/healthz?verbose')).status).toBe(200);
  expect(await statusOf(monitor.address, '/__proto__')).toBe(404);
});

it('says which address can’t be listened at, and why', async () => {
  const { monitor, context } = await monitored();
  const [host = '', port] = monitor.address.split(':');
  const watched = {
    context: () => context,
    env: ENV,
    onFailure: () => {},
    jobs: jobTracker(systemClock()),
  };
  await expect(startMonitor({ host, port: Number(port) }, monitorRoutes(watched))).rejects.toThrow(
    `can't listen at ${monitor.address}: another program listens there`,
  );
});

/** Sends the path as it is, which `fetch` would tidy. */
function statusOf(address: string, path: string): Promise<number | undefined> {
  const [host, port] = address.split(':');
  return new Promise((resolve, reject) => {
    const request = httpRequest({ host, port, path }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    request.on('error', reject);
    request.end();
  });
}
