import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { csvOf, type ExportRow, exportRow } from '../support/exports.js';
import { SELDOM } from '../support/lasting-service.js';
import { type TestWorkspace, testWorkspace, until } from '../support/workspace.js';

/** Half an hour, so that slow growth shows. */
const MINUTES = Number(process.env.SOAK_MINUTES ?? 30);

/** Beyond what a quarter of the time shows by itself: pages of SQLite's cache, compiled code. */
const RSS_SLACK_KB = 40_000;
const HANDLES_SLACK = 8;

/** Four minutes'. */
const MIN_SAMPLES = 24;

/** How often a file is dropped, and how many rows it has: somewhat less than the quota, or a database beside other tests, lets through; less for a sample. */
const DROP_MS = 10_000;
const ROWS = process.env.LEDGER === 'postgres' || MINUTES < 1 ? 100 : 220;

interface Sample {
  readonly rssKb: number;
  readonly handles: number;
}

it(
  `in ${MINUTES} minutes of drops and faults nothing is lost, nothing grows, and each cause is notified once`,
  async () => {
    const workspace = await testWorkspace({
      sandbox: {
        quota: { requests: 70, perMs: 2_000 },
        faults: {
          latencyMs: 40,
          rates: { 'server-error': 0.02, throttle: 0.005, 'drop-after': 0.003, refusal: 0.004 },
        },
      },
      environments: { main: { retry: { tries: 8, first: '200ms', longest: '5s' } } },
      sources: { academy: {}, campus: {} },
      schedule: [
        { cron: '*/2 * * * *', timeZone: 'UTC', do: ['report'] },
        { cron: '1-59/5 * * * *', timeZone: 'UTC', do: ['run', 'check'] },
      ],
      alerts: { channels: [{ name: 'log', file: 'alerts.jsonl' }] },
    });
    const service = workspace.start('schedule', '--listen', '127.0.0.1:0');
    const scraped = () => /"address":"([^"]+)"/.exec(service.stderr())?.[1];
    await until('the service serves', () => scraped() !== undefined, 30_000);

    const samples: Sample[] = [];
    const endMs = performance.now() + MINUTES * 60_000;
    for (let n = 0; performance.now() < endMs; n += 1) {
      drop(workspace, n);
      await pause(DROP_MS);
      samples.push(sampleOf(service.pid));
      expect((await fetch(`http://${scraped()}/metrics`)).status).toBe(200);
    }
    await expect.poll(() => isDrained(workspace), { ...SELDOM, timeout: 600_000 }).toBe(true);
    service.kill('SIGTERM');
    const { code, stderr } = await service.ended;

    const books = await workspace.books();
    const figures = { samples: samples.length, early: typical(samples, 0.25), late: typical(samples, 0.75) };
    console.log(
      JSON.stringify({ ...figures, rows: books.rows, states: books.states, attempts: books.attempts }),
    );
    expect(code).toBe(143);
    expect(books.balanced).toBe(true);
    expect(stderr).not.toMatch(/a bug in Registrar/);
    // Each of a few samples counts the requests under way.
    if (samples.length >= MIN_SAMPLES) {
      expect(figures.late.rssKb).toBeLessThan(figures.early.rssKb + RSS_SLACK_KB);
      expect(figures.late.handles).toBeLessThan(figures.early.handles + HANDLES_SLACK);
    }
    const opened = openedIn(workspace);
    expect(opened.length).toBeGreaterThan(0);
    expect(new Set(opened).size, opened.join('\n')).toBe(opened.length);
  },
  (MINUTES + 15) * 60_000,
);

/** Mostly good rows; some of unknown learners, some without a time; now and then the same file once more. */
function drop(workspace: TestWorkspace, n: number): void {
  const from = (n % 10 === 9 ? n - 1 : n) * ROWS;
  const rows = Array.from({ length: ROWS }, (_, index): ExportRow => {
    const row = exportRow(from + index);
    if (index % 50 === 7) return { ...row, email: `unknown${index}@example.org` };
    return index % 80 === 9 ? { ...row, at: 'soon' } : row;
  });
  workspace.drop(`export ${n}.csv`, csvOf(rows), n % 2 === 0 ? 'academy' : 'campus');
}

function isDrained(workspace: TestWorkspace): boolean {
  const { waiting = 0, sending = 0 } = workspace.states();
  const inboxes = workspace.files('inbox').length + workspace.files('processing').length;
  return waiting + sending + inboxes === 0;
}

function sampleOf(pid: number): Sample {
  const [, rssKb] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return { rssKb: Number(rssKb), handles: readdirSync(`/proc/${pid}/fd`).length };
}

/** The median of a quarter of the samples. */
function typical(samples: readonly Sample[], from: number): Sample {
  const quarter = samples.slice(samples.length * from, samples.length * (from + 0.25));
  const median = (of: (sample: Sample) => number) =>
    quarter.map(of).sort((a, b) => a - b)[Math.floor(quarter.length / 2)] ?? 0;
  return { rssKb: median(({ rssKb }) => rssKb), handles: median(({ handles }) => handles) };
}

/** What the alert file has as begun: kind, subject and code of each. */
function openedIn({ root }: TestWorkspace): string[] {
  const lines = readFileSync(join(root, 'alerts.jsonl'), 'utf8').trim().split('\n');
  return lines.flatMap((line) => {
    const { alerts } = JSON.parse(line) as { alerts: Record<string, string>[] };
    return alerts.flatMap(({ event, kind, subject, code }) =>
      event === 'opened' ? `${kind} ${subject} ${code}` : [],
    );
  });
}
