import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { sendNotifications } from '../../src/actions/alerts.js';
import {
  type ActionContext,
  closeWorkspace,
  openWorkspace,
  readWorkspace,
} from '../../src/actions/context.js';
import type { HealthCode, HealthFinding, HealthPart } from '../../src/domain/health/health.js';
import { jobTracker } from '../../src/monitor/job-tracker.js';
import { monitorRoutes } from '../../src/monitor/monitor-routes.js';
import { csvOf, exportRows } from './exports.js';
import { peopledConsole, read } from './peopled-console.js';
import {
  CREDENTIALS,
  ledgerEnv,
  type TestWorkspace,
  testWorkspace,
  type WorkspaceSpec,
} from './workspace.js';
import { tamper } from './workspace-ledger.js';

/** A workspace in which one thing is wrong. */
export interface Situation {
  readonly what: string;
  readonly part: HealthPart;
  readonly code: HealthCode;
  readonly spec?: WorkspaceSpec;
  /** Creates the situation. */
  readonly bring: (workspace: TestWorkspace) => Promise<unknown> | unknown;
}

/** A time at which no test runs. */
const LONG_AGO = '2026-01-05T06:00:00.000Z';
const DEAD = 2 ** 22 + 1;

/** An inbox outside of the workspace, which no command makes. */
const OUTSIDE = join(tmpdir(), `registrar-inbox-${process.pid}`);

/** A minute of the day that was over a while ago, and comes again tomorrow. */
const PASSED = new Date(Date.now() - 3_600_000).toISOString().slice(11, 16);

/** One situation for each part of health. */
export const SITUATIONS: readonly Situation[] = [
  {
    what: 'an inbox that is gone',
    part: 'inbox',
    code: 'inbox-unreadable',
    spec: { sources: { academy: { inbox: '/nowhere/at/all' } } },
    bring: () => {},
  },
  {
    what: 'a file that no source matches',
    part: 'file',
    code: 'file-unmatched',
    bring: (workspace) => workspace.drop('a.pdf', 'x'),
  },
  {
    what: 'a service that is gone',
    part: 'service',
    code: 'service-gone',
    bring: (workspace) => tamper(workspace, service({ seenAt: LONG_AGO, stoppedAt: 'null' })),
  },
  {
    what: 'a line of the schedule that is overdue',
    part: 'schedule',
    code: 'line-overdue',
    spec: { schedule: [{ cron: '* * * * *', do: ['check'] }] },
    bring: (workspace) => tamper(workspace, `insert into job values ('check at * * * * *', '${LONG_AGO}')`),
  },
  {
    what: 'a folder of backups that is not there',
    part: 'backup',
    code: 'backup-folder',
    spec: { schedule: [{ cron: '0 0 1 1 *', do: ['backup'], folder: '/nowhere/at/all' }] },
    bring: () => {},
  },
  {
    what: 'a platform that cannot be used',
    part: 'environment',
    code: 'outage',
    async bring(workspace) {
      workspace.drop('a.csv', csvOf(exportRows(2)));
      await workspace.cliWith({ REGISTRAR_CLIENT_SECRET: 'wrong' }, 'run');
    },
  },
  {
    what: 'a deadline that was missed',
    part: 'deadline',
    code: 'deadline',
    spec: { environments: { main: { deliverBy: PASSED, timeZone: 'UTC' } } },
    async bring(workspace) {
      workspace.drop('a.csv', csvOf(exportRows(2)));
      await workspace.cli('run', '--no-push');
      await tamper(workspace, `update drop_file set published_at = '${LONG_AGO}'`);
    },
  },
  {
    what: 'a quota that the platform has paused for long',
    part: 'quota',
    code: 'quota-paused',
    async bring(workspace) {
      workspace.drop('a.csv', csvOf(exportRows(2)));
      await workspace.cli('run');
      await tamper(workspace, 'update quota_client set paused_until_mono_ms = 1e15');
    },
  },
  {
    what: 'a decision whose process died',
    part: 'decision',
    code: 'decision-interrupted:1',
    async bring(workspace) {
      workspace.drop('a.csv', csvOf(exportRows(2)));
      await workspace.cli('run', '--no-push');
      await workspace.startWith(
        { REGISTRAR_FAILPOINT: 'decision-opened' },
        ...['forget', exportRows(1)[0]?.email ?? '', '--because', 'x'],
      ).ended;
      const [open] = workspace.query('select 1 from decision where finished_at is null');
      if (open === undefined) throw new Error('no decision is open');
    },
  },
  {
    what: 'books that do not balance',
    part: 'books',
    code: 'unbalanced',
    async bring(workspace) {
      workspace.drop('a.csv', csvOf(exportRows(2)));
      await workspace.cli('run');
      await tamper(workspace, 'update drop_file set rows_read = 9');
    },
    spec: { skipReceivedCheck: 'the books are wrong' },
  },
  {
    what: 'a notification channel that fails',
    part: 'channel',
    code: 'channel-failing',
    spec: {
      alerts: {
        channels: [
          { name: 'broken', command: ['/nowhere/at/all'] },
          { name: 'log', file: 'alerts.jsonl' },
        ],
      },
    },
    async bring(workspace) {
      workspace.drop('a.csv', 'Who,What\nada,C-1\n');
      await workspace.cli('run');
    },
  },
  {
    what: 'a registrar.yaml with a mistake',
    part: 'configuration',
    code: 'configuration-invalid',
    bring: ({ root }) =>
      writeFileSync(
        join(root, 'registrar.yaml'),
        readFileSync(join(root, 'registrar.yaml'), 'utf8').replace('Europe/Berlin', 'Europe/Berln'),
      ),
  },
];

/** The others. */
export const FURTHER_SITUATIONS: readonly Situation[] = [
  {
    what: 'an inbox that has become a file',
    part: 'inbox',
    code: 'inbox-unreadable',
    spec: { sources: { academy: { inbox: OUTSIDE } } },
    bring() {
      writeFileSync(OUTSIDE, '');
      onTestFinished(() => rmSync(OUTSIDE));
    },
  },
  {
    what: 'an inbox whose share is not mounted',
    part: 'inbox',
    code: 'inbox-unmounted',
    bring: (workspace) => tamper(workspace, "insert into inbox values ('academy', '6969, mounted')"),
  },
  {
    what: 'a file that no process has imported',
    part: 'file',
    code: 'file-waiting',
    async bring(workspace) {
      workspace.drop('a.csv', csvOf(exportRows(2)));
      await tamper(workspace, service({ seenAt: '2099-01-01T00:00:00.000Z', stoppedAt: `'${LONG_AGO}'` }));
    },
  },
  {
    what: 'a file whose import was interrupted',
    part: 'file',
    code: 'file-interrupted',
    bring({ root }) {
      mkdirSync(join(root, 'processing', 'academy'), { recursive: true });
      writeFileSync(join(root, 'processing', 'academy', '0123abcd-a.csv'), csvOf(exportRows(2)));
    },
  },
  {
    what: 'a refused file',
    part: 'file',
    code: 'file-refused',
    async bring(workspace) {
      workspace.drop('a.csv', 'Who,What\nada,C-1\n');
      await workspace.cli('run');
    },
  },
  {
    what: 'a file that is late',
    part: 'file',
    code: 'file-late',
    spec: { sources: { academy: { expect: { every: '1h' } } } },
    bring: (workspace) => tamper(workspace, `update ledger set created_at = '${LONG_AGO}'`),
  },
  {
    what: 'a service that was stopped, although there is a schedule',
    part: 'service',
    code: 'service-stopped',
    spec: { schedule: [{ cron: '0 0 1 1 *', do: ['check'] }] },
    bring: (workspace) => tamper(workspace, service({ seenAt: LONG_AGO, stoppedAt: `'${LONG_AGO}'` })),
  },
  {
    what: 'a schedule that no service works on',
    part: 'service',
    code: 'service-missing',
    spec: { schedule: [{ cron: '0 0 1 1 *', do: ['check'] }] },
    bring: () => {},
  },
  {
    what: 'a run that broke off',
    part: 'service',
    code: 'run-failed',
    async bring(workspace) {
      await workspace.cli('run');
      await tamper(workspace, "update run set ending = 'error'");
    },
  },
  {
    what: 'a line of the schedule that failed',
    part: 'schedule',
    code: 'line-failed',
    spec: { schedule: [{ cron: '0 0 1 1 *', do: ['check'] }] },
    bring: (workspace) =>
      tamper(
        workspace,
        `insert into job values ('check at 0 0 1 1 *', '2025-12-31T00:00:00.000Z');
         insert into job_slot values ('check at 0 0 1 1 *', '2026-01-01T00:00:00.000Z', '2025-12-31T00:00:00.000Z', 0, 1,
           '${LONG_AGO}', '${LONG_AGO}', 'failed')`,
      ),
  },
  {
    what: 'rows whose process died while it sent them',
    part: 'environment',
    code: 'rows-abandoned',
    async bring(workspace) {
      workspace.drop('a.csv', csvOf(exportRows(2)));
      await workspace.startWith({ REGISTRAR_FAILPOINT: 'attempt-written:1' }, 'run').ended;
    },
  },
];

/** A service whose process is dead. */
function service({ seenAt, stoppedAt }: { readonly seenAt: string; readonly stoppedAt: string }): string {
  return `insert into service values ('x', ${DEAD}, '1', 'elsewhere', 'a boot', '${LONG_AGO}', '${seenAt}', 0, ${stoppedAt})`;
}

/** The answer of the service's own server at an address. */
function serverOf(context: ActionContext) {
  const routes = monitorRoutes({
    context: () => context,
    jobs: jobTracker(context.clock),
    onFailure: (error) => expect.fail(String(error)),
  });
  return async (path: string) => (await routes[path]?.()) ?? { status: 0, text: '' };
}

/** What seven places show of a workspace's health. */
export async function sevenPlaces(workspace: TestWorkspace, context: ActionContext) {
  const { cli } = workspace;
  const served = serverOf(context);
  const sent = await sendNotifications(context);
  const { as } = await peopledConsole(context);
  return {
    status: await cli('status'),
    healthcheck: await cli('healthcheck', '--work', '--json'),
    ready: await served('/readyz'),
    metrics: await served('/metrics'),
    doctor: await cli('doctor', '--offline', '--json'),
    notified: {
      sent,
      open: workspace.query<{ kind: string; code: string }>('select kind, code from alert'),
    },
    console: await read(await (await as('operator')).get('/')),
  };
}

export async function opened(workspace: TestWorkspace): Promise<ActionContext> {
  const context = await openWorkspace(
    readWorkspace(workspace.root, {
      env: { ...process.env, ...CREDENTIALS, ...ledgerEnv(workspace) },
      cwd: workspace.root,
    }),
  );
  onTestFinished(() => closeWorkspace(context));
  return context;
}

async function inSituation({ spec, bring }: Situation) {
  const workspace = await testWorkspace({
    alerts: { channels: [{ name: 'log', file: 'alerts.jsonl' }] },
    ...spec,
  });
  const context = await opened(workspace);
  await bring(workspace);
  return { workspace, context };
}

function findingIn(text: string, { part, code }: Situation) {
  const { findings } = JSON.parse(text) as { findings: HealthFinding[] };
  const finding = findings.find((one) => one.part === part && one.code === code);
  expect(finding, text).toBeDefined();
  return { finding, findings };
}

/** Creates a situation, and expects one place to show it. */
export async function isFound(situation: Situation): Promise<void> {
  const { context } = await inSituation(situation);
  findingIn((await serverOf(context)('/readyz')).text, situation);
}

/** Creates a situation, and expects all seven places to show it. */
export async function isShown(situation: Situation): Promise<void> {
  const { part, code } = situation;
  const { workspace, context } = await inSituation(situation);
  const places = await sevenPlaces(workspace, context);
  const { finding, findings } = findingIn(places.ready.text, situation);
  if (finding === undefined) return;
  expect(places.ready.status).toBe(findings.some(({ state }) => state === 'failed') ? 503 : 200);
  const level = finding.state === 'failed' ? 2 : 1;
  const labels = `part="${part}",subject="${finding.subject}",code="${code}"`;
  expect(places.metrics.text).toContain(`registrar_health{${labels}} ${level}`);
  expect(places.notified.open).toContainEqual({ kind: part, code });
  if (part === 'configuration') {
    // Nothing else starts: each command and page says so itself.
    for (const place of [places.status, places.healthcheck]) {
      expect([place.code, place.stderr + place.stdout]).toEqual([2, expect.stringContaining('Europe/Berln')]);
    }
    expect(places.doctor.stdout).toContain('Europe/Berln');
    expect(places.console.text).toContain('Europe/Berln');
    return;
  }
  expect(places.status.stdout).not.toContain('Nothing needs attention.');
  expect(places.healthcheck.code).not.toBe(0);
  const document = JSON.parse(places.healthcheck.stdout) as { findings: HealthFinding[] };
  expect(document.findings).toContainEqual(expect.objectContaining({ part, code, message: finding.message }));
  const { checks } = JSON.parse(places.doctor.stdout) as { checks: { check: string; message: string }[] };
  expect(checks).toContainEqual(expect.objectContaining({ check: 'health', message: finding.message }));
  const headline = /class="headline">([^<]*)</.exec(places.console.markup)?.[1] ?? '';
  expect(headline).not.toMatch(/All rows were delivered|Nothing needs attention|No files yet/);
}
