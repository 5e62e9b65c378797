import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { LastingLine } from '../support/command-line.js';
import { csvOf, exportRows } from '../support/exports.js';
import { documentOf, type TestWorkspace, testWorkspace, until } from '../support/workspace.js';

/** Each reading takes some 10 ms of a processor. */
const SELDOM = { interval: 300 };

const EVERY_SECOND = [{ cron: '* * * * * *', do: ['run'] }];

/** Adds a test's monitor settings to registrar.yaml. */
function setMonitor({ root }: TestWorkspace, monitor: unknown): void {
  const path = join(root, 'registrar.yaml');
  const config = JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>;
  writeFileSync(path, JSON.stringify({ ...config, monitor }));
}

/** The address at which a service says that it serves. */
async function addressOf(service: LastingLine): Promise<string> {
  const address = () => /"address":"([^"]+)"/.exec(service.stderr())?.[1];
  await until('the service serves', () => address() !== undefined);
  return `http://${address()}`;
}

it('the service shows the ledger’s figures, is ready, and reports so to a health check, until it is stopped', async () => {
  const workspace = await testWorkspace({ schedule: EVERY_SECOND });
  workspace.drop('a.csv', csvOf(exportRows(4)));
  const service = workspace.begin('schedule', '--listen', '127.0.0.1:0');
  const url = await addressOf(service);
  await until('the rows are delivered', () => workspace.sandbox.platform.completions().length === 4);
  const metrics = async () => (await fetch(`${url}/metrics`)).text();
  await expect.poll(metrics, SELDOM).toContain('state="accepted",cause=""} 4');
  await expect.poll(metrics, SELDOM).toMatch(/registrar_job_last_success_.*name="run"} \d/);
  expect(await metrics()).toMatch(/registrar_attempts_total\{environment="main",outcome="accepted"\} 4/);
  expect(await (await fetch(`${url}/healthz`)).text()).toBe('ok\n');
  expect(await workspace.cli('healthcheck')).toMatchObject({ code: 0, stdout: 'Healthy.\n' });
  writeFileSync(join(workspace.root, 'registrar.yaml'), 'environments: none');
  const ready = () => fetch(`${url}/readyz`);
  await expect.poll(async () => (await ready()).status, SELDOM).toBe(503);
  expect(await (await ready()).json()).toMatchObject({ findings: [{ code: 'configuration-invalid' }] });
  service.stop();
  expect((await service.ended).code).toBe(130);
});

it('a health check works without a service', async () => {
  const workspace = await testWorkspace();
  const before = await workspace.cli('healthcheck', '--json');
  expect(documentOf<object>(before)).toMatchObject({
    state: 'healthy',
    exit: 'done',
    findings: [],
  });
});

it('a health check fails where something has failed, and with --work where something is degraded too', async () => {
  const workspace = await testWorkspace();
  workspace.drop('a.csv', csvOf(exportRows(3)));
  await workspace.cliWith({ REGISTRAR_CLIENT_SECRET: 'wrong' }, 'run');
  const failed = await workspace.cli('healthcheck');
  expect([failed.code, failed.stdout]).toEqual([
    4,
    expect.stringContaining("Environment main can't be used"),
  ]);
  await workspace.cli('run');
  workspace.drop('a.pdf', 'x');
  expect((await workspace.cli('healthcheck')).code).toBe(0);
  expect((await workspace.cli('healthcheck', '--work')).code).toBe(1);
});

it('an invalid listen address is refused before anything begins', async () => {
  const workspace = await testWorkspace({ schedule: EVERY_SECOND });
  const flag = await workspace.cli('schedule', '--listen', 'localhost');
  expect([flag.code, loggedIn(flag.stderr)]).toEqual([
    2,
    expect.stringContaining('--listen "localhost" is not an address and a port such as 127.0.0.1:9464'),
  ]);
  setMonitor(workspace, { listen: '127.0.0.1:99999', pings: [{ url: 'http://ping.example/secret-path' }] });
  const key = await workspace.cli('schedule');
  expect(key.code).toBe(2);
  const logged = loggedIn(key.stderr);
  expect(logged).toContain('monitor.listen "127.0.0.1:99999" is not an address and a port');
  expect(logged).toContain('monitor.pings[0].url must begin with https://');
  expect(key.stderr).not.toContain('secret-path');
});

/** A dead man's switch, and the pings that it gets until the test ends. */
async function deadMansSwitch(): Promise<{ readonly url: string; readonly pings: string[] }> {
  const pings: string[] = [];
  const server = createServer((request, response) => {
    pings.push(`${request.url}`);
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, pings };
}

it('a service notifies a dead man’s switch of an outage by failing runs and deliveries, and of its end by their success', async () => {
  const workspace = await testWorkspace({ schedule: EVERY_SECOND });
  const { url, pings } = await deadMansSwitch();
  const jobs = ['run', 'deliver', 'deliver-main'];
  setMonitor(workspace, { pings: jobs.map((job) => ({ job, url: `${url}/${job}` })) });
  workspace.sandbox.platform.setFaults({ rates: { 'server-error': 1 } });
  const service = workspace.begin('schedule');
  await until('the service works', () => jobs.every((job) => pings.includes(`/${job}`)));
  workspace.drop('a.csv', csvOf(exportRows(3)));
  await until('the outage is reported', () => jobs.every((job) => pings.includes(`/${job}/fail`)));
  pings.splice(0);
  await until('a run has ended', () => pings.includes('/run/fail'));
  expect(pings.filter((path) => jobs.includes(path.slice(1)))).toEqual([]);
  workspace.sandbox.platform.setFaults({});
  await until('the end is reported', () => jobs.every((job) => pings.includes(`/${job}`)));
  service.stop();
  await service.ended;
});

it('a ping of an unknown job is refused, and the existing jobs are named', async () => {
  const workspace = await testWorkspace();
  setMonitor(workspace, { pings: [{ job: 'delivr', url: 'https://ping.example/x' }] });
  const { code, stderr } = await workspace.cli('run');
  expect([code, stderr]).toEqual([
    2,
    expect.stringContaining(
      'monitor.pings[0].job "delivr" is not one of run, report, purge, backup, check, deliver, deliver-main; did you mean deliver?',
    ),
  ]);
});

it('runs of cron notify a dead man’s switch of their outcome', async () => {
  const { url, pings } = await deadMansSwitch();
  const workspace = await testWorkspace();
  setMonitor(workspace, { pings: [{ url: `${url}/\${PING}?from=cron` }] });
  const env = { PING: 'uuid' };
  workspace.drop('a.csv', csvOf(exportRows(3)));
  const refused = await workspace.cliWith({ ...env, REGISTRAR_CLIENT_SECRET: 'wrong' }, 'run');
  expect([refused.code, pings.splice(0)]).toEqual([4, ['/uuid/start?from=cron', '/uuid/fail?from=cron']]);
  expect((await workspace.cliWith(env, 'run')).code).toBe(0);
  expect(pings.splice(0)).toEqual(['/uuid/start?from=cron', '/uuid?from=cron']);
  expect((await workspace.cliWith(env, 'run', '--dry-run')).code).toBe(0);
  expect(pings).toEqual([]);
  setMonitor(workspace, { pings: [{ url: 'http://127.0.0.1:9/uuid' }] });
  const unheard = await workspace.cli('run');
  expect(unheard.code).toBe(0);
  expect(unheard.stderr).toMatch(
    /warning: the ping of 127\.0\.0\.1:9 \(run, start\) failed: connect ECONNREFUSED/,
  );
});

/** The sentence of the log's only line. */
function loggedIn(stderr: string): string {
  return JSON.parse(stderr).msg;
}
