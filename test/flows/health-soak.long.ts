import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { type BrokenLine, brokenLine } from '../support/broken-line.js';
import { csvOf, exportRows } from '../support/exports.js';
import { tempFolder } from '../support/temp-folder.js';
import { type RunningCli, type TestWorkspace, testWorkspace, until } from '../support/workspace.js';

/** How long it lasts; a round takes six minutes, and the deadline falls into the second one. */
const MINUTES = Number(process.env.HEALTH_SOAK_MINUTES ?? 60);

const ROUND_S = 360;

/** A service looks once a minute for what has no event of its own. */
const LOOK_MS = 75_000;

/** After an outage a service tries ever more seldom. */
const RETRY_MS = 140_000;

const ROWS = 150;

/** What actually happened. */
interface Trouble {
  readonly key: string;
  readonly fromMs: number;
  readonly toMs: number;
}

interface AlertRow {
  readonly kind: string;
  readonly subject: string;
  readonly code: string;
  readonly since: string | null;
  readonly openedAt: string;
  readonly overAt: string | null;
  readonly closedAt: string | null;
}

it(
  `in ${MINUTES} minutes of outages, kills, reloads, a vanishing inbox and a missed deadline, each finding opens and closes once`,
  async () => {
    const startMs = Date.now();
    const deadline = new Date(Math.ceil((startMs + 450_000) / 60_000) * 60_000).toISOString().slice(11, 16);
    const campus = join(tempFolder(), 'campus');
    mkdirSync(campus);
    const workspace = await testWorkspace({
      sandbox: { quota: { requests: 70, perMs: 2_000 }, faults: { latencyMs: 40 } },
      environments: { main: { deliverBy: deadline, timeZone: 'UTC', outage: '3s' } },
      sources: { academy: {}, campus: { inbox: campus } },
      alerts: { recoverAfter: '20s', channels: [{ name: 'log', file: 'alerts.jsonl' }] },
    });
    const line = await brokenLine(workspace.sandbox.port);
    useLine(workspace, line.url);
    const world = { workspace, line, campus, troubles: [] as Trouble[] };
    const services: RunningCli[] = [workspace.start('schedule'), workspace.start('schedule')];
    const rounds = Math.max(1, Math.floor((MINUTES * 60) / ROUND_S));
    for (let n = 0; n < rounds; n += 1) await round(world, services, n);
    await until('all is delivered', () => isDrained(workspace), 600_000);
    await until(
      'all alerts are closed',
      () => alerts(workspace).every(({ closedAt }) => closedAt !== null),
      300_000,
    );
    for (const service of services) service.kill('SIGTERM');
    const ended = await Promise.all(services.map((service) => service.ended));
    expect(ended.map(({ code }) => code)).toEqual([143, 143]);

    const found = alerts(workspace);
    const outages = workspace.query<{ since: string; ended: string }>(
      'select since_at as since, ended_at as ended from outage order by outage_id',
    );
    console.log(
      JSON.stringify({ rounds, troubles: world.troubles, found, outages, states: workspace.states() }),
    );
    for (const key of ['environment main outage', 'inbox campus inbox-unreadable']) {
      const real = world.troubles.filter((trouble) => trouble.key === key);
      const notices = found.filter(({ kind, subject, code }) => `${kind} ${subject} ${code}` === key);
      expect(notices.length, key).toBe(real.length);
      real.forEach(({ fromMs, toMs }, index) => {
        const { since, openedAt, overAt } = notices[index] as AlertRow;
        const began = Date.parse(since ?? openedAt);
        const over = Date.parse(overAt ?? '');
        expect(began, `${key} began`).toBeGreaterThanOrEqual(fromMs - 1_000);
        expect(began, `${key} began`).toBeLessThan(fromMs + LOOK_MS);
        expect(over, `${key} was over`).toBeGreaterThan(toMs - LOOK_MS);
        expect(over, `${key} was over`).toBeLessThan(toMs + RETRY_MS);
      });
    }
    if (rounds > 1) {
      const missed = found.filter(({ kind }) => kind === 'deadline');
      expect(missed.map(({ since }) => since?.slice(11, 16))).toEqual([deadline]);
    }
    const sent = notifications(workspace);
    expect(new Set(sent).size).toBe(sent.length);
    expect(sent.length).toBeGreaterThanOrEqual(2 * found.length);
    const books = await workspace.books();
    expect(books.balanced).toBe(true);
    const { accepted = 0, 'in-doubt': inDoubt = 0 } = books.states;
    // Each file has a header besides.
    expect(accepted + inDoubt).toBe(books.rows - (books.dispositions['non-data'] ?? 0));
    expect(workspace.sandbox.platform.completions().length).toBeGreaterThanOrEqual(accepted);
  },
  (MINUTES + 25) * 60_000,
);

/** Six minutes: an outage with a kill in it, a reload, an inbox that goes away and comes back. */
async function round(
  {
    workspace,
    line,
    campus,
    troubles,
  }: {
    readonly workspace: TestWorkspace;
    readonly line: BrokenLine;
    readonly campus: string;
    readonly troubles: Trouble[];
  },
  services: RunningCli[],
  n: number,
): Promise<void> {
  const beganMs = Date.now();
  const at = (seconds: number) => pause(Math.max(0, beganMs + seconds * 1_000 - Date.now()));
  const drop = (part: number, source: string, inbox: string | null) =>
    workspace.drop(`${n} ${part}.csv`, csvOf(exportRows(ROWS, (n * 4 + part) * ROWS)), source, inbox);
  drop(0, 'academy', null);
  drop(1, 'campus', campus);
  await at(20);
  await line.cut();
  const cutMs = Date.now();
  drop(2, 'academy', null);
  await at(50);
  const index = n % services.length;
  services[index]?.kill('SIGKILL');
  await services[index]?.ended;
  await at(55);
  services[index] = workspace.start('schedule');
  await at(170);
  await line.restore();
  troubles.push({ key: 'environment main outage', fromMs: cutMs, toMs: Date.now() });
  await at(190);
  renameSync(campus, `${campus}.away`);
  const goneMs = Date.now();
  await at(210);
  for (const service of services) service.kill('SIGHUP');
  await at(290);
  renameSync(`${campus}.away`, campus);
  troubles.push({ key: 'inbox campus inbox-unreadable', fromMs: goneMs, toMs: Date.now() });
  drop(3, 'campus', campus);
  await at(ROUND_S);
}

function useLine({ root }: TestWorkspace, url: string): void {
  const path = join(root, 'registrar.yaml');
  const config = JSON.parse(readFileSync(path, 'utf8'));
  Object.assign(config.environments.main, { baseUrl: url, authUrl: url });
  writeFileSync(path, JSON.stringify(config));
}

/** Alerts about health. A row whose request was cut off twice is in doubt, and needs attention until an operator decides. */
function alerts({ query }: TestWorkspace): AlertRow[] {
  return query<AlertRow>(
    `select kind, subject, code, facts ->> '$.since' as since, opened_at as openedAt, over_at as overAt,
       closed_at as closedAt from alert where kind <> 'cause' order by alert_id`,
  );
}

/** What the channel was sent: which alert, and whether it opened or is over. */
function notifications({ root }: TestWorkspace): string[] {
  const lines = readFileSync(join(root, 'alerts.jsonl'), 'utf8').trim().split('\n');
  return lines.flatMap((text) =>
    (JSON.parse(text) as { alerts: Record<string, unknown>[] }).alerts.map(
      ({ alert, event }) => `${event} ${alert}`,
    ),
  );
}

function isDrained(workspace: TestWorkspace): boolean {
  const { waiting = 0, sending = 0 } = workspace.states();
  return waiting + sending + workspace.files('processing').length === 0;
}
