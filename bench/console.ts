import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { browseRows } from '../src/actions/browse/browse-rows.js';
import { QUERIES } from '../src/actions/browse/queries.js';
import { type ActionContext, closeWorkspace, openReadOnly, readWorkspace } from '../src/actions/context.js';
import type { Selection } from '../src/domain/selection.js';
import { masked } from '../src/report/words/masked.js';
import { ANY_ROW } from '../test/support/any-row.js';
import { largeWorkspace, learner } from './large-ledger.js';
import { median, msSince } from './measure.js';

/**
 * How long the readings for the console's pages take on a large ledger: the first time, and over many rounds the median,
 * the worst, and the median of the time computed. `npm run bench:console -- 1000000` chooses the rows; `--keep FOLDER` builds the workspace there and
 * leaves it, or uses the one that is there.
 */
const args = process.argv.slice(2);
const kept = args.includes('--keep') ? args[args.indexOf('--keep') + 1] : undefined;
const rows = args.map(Number).find((size) => size > 0) ?? 1_000_000;
const folder = kept ?? mkdtempSync(join(tmpdir(), 'registrar-bench-'));

/** All that needs attention. */
const ALL: Selection = { ...ANY_ROW, states: ['rejected', 'failed', 'in-doubt', 'held', 'invalid'] };

/** The first page of the list of files. */
const FILES = {
  source: null,
  name: null,
  standing: null,
  order: 'time',
  isDescending: true,
  after: null,
  limit: 50,
} as const;

/** Enough for a worst time that says something. */
const ROUNDS = 20;

try {
  const workspace = await largeWorkspace(folder, rows);
  const mb = (statSync(join(workspace, 'registrar.db')).size / 1e6).toFixed(0);
  const context = await openReadOnly(
    readWorkspace(workspace, { env: { BENCH_SECRET: 'bench' }, cwd: workspace }),
  );
  if (context === null) throw new Error(`there is no ledger in ${workspace}`);
  console.log(
    `\nReadings for pages from a ledger of ${rows.toLocaleString('en')} rows (${mb} MB), ${ROUNDS} rounds`,
  );
  console.log(`${''.padEnd(46)}   first  median   worst     CPU`);
  for (const [name, read] of readings(context)) await measure(name, read);
  await closeWorkspace(context);
} finally {
  if (kept === undefined) rmSync(folder, { recursive: true, force: true });
}

async function measure(name: string, read: () => Promise<unknown>): Promise<void> {
  const times: number[] = [];
  const cpuTimes: number[] = [];
  for (let round = 0; round <= ROUNDS; round += 1) {
    const started = process.hrtime.bigint();
    const cpu = process.cpuUsage();
    // What a page gets comes from another thread.
    structuredClone(await read());
    times.push(msSince(started));
    const { user, system } = process.cpuUsage(cpu);
    cpuTimes.push((user + system) / 1000);
  }
  const [first = 0, ...others] = times;
  const shown = [first, median(others), Math.max(...others), median(cpuTimes)].map((ms) =>
    ms.toFixed(1).padStart(7),
  );
  console.log(`${name.padEnd(46)} ${shown.join(' ')} ms`);
}

function readings(context: ActionContext): [string, () => Promise<unknown>][] {
  const middle = '5.50000.0';
  const learnerId = learner(Math.floor(rows / 213));
  const page = (selection: Partial<Selection>, more: Partial<Parameters<typeof browseRows>[1]> = {}) =>
    browseRows(context, {
      selection: { ...ALL, ...selection },
      search: null,
      after: null,
      limit: 50,
      ...more,
    });
  return [
    ['rows: all that needs attention', () => page({})],
    ['rows: the same, masked', async () => masked(await page({}))],
    ['rows: the same, from the middle', () => page({}, { after: middle })],
    ['rows: the same, newest first', () => page({}, { isDescending: true })],
    ['rows: one cause, from the middle', () => page({ cause: 'not-found' }, { after: middle })],
    ['rows: one cause of one file', () => page({ cause: 'not-found', file: 'export-7.csv' })],
    ['rows: invalid, from the middle', () => page({ states: ['invalid'] }, { after: middle })],
    ['rows: invalid of one cause', () => page({ states: ['invalid'], cause: 'timestamp-invalid' })],
    ['rows: accepted', () => page({ states: ['accepted'] })],
    ['rows: sending, of which there are none', () => page({ states: ['sending'] })],
    ['rows: one learner', () => page({ learner: learnerId })],
    ['rows: one content', () => page({ content: 'C-17' })],
    ['rows: one run', () => page({ run: 11 })],
    ['rows: a text that many have', () => page({}, { search: 'department 3' })],
    ['rows: a text that none has', () => page({}, { search: 'nobody has this' })],
    ['files', () => QUERIES.files(context, FILES)],
    ['file', () => QUERIES.file(context, { drop: 5 })],
    ['causes', () => QUERIES.causes(context, {})],
    ['overview', () => QUERIES.overview(context, {})],
    ['row: explained', () => QUERIES.row(context, { what: '5:50000' })],
    ['row: not explained', () => QUERIES.row(context, { what: '5:50000', isExplained: false })],
    ['row: masked', async () => masked(await QUERIES.row(context, { what: '5:50000' }))],
    ...bookReadings(context),
  ];
}

/** What was done, what is due, and the settings; the page of a report is read on the thread for what takes seconds. */
function bookReadings(context: ActionContext): [string, () => Promise<unknown>][] {
  const list = { isDescending: true, after: null, limit: 50 };
  const decisions = { ...list, kind: null, who: null, door: null, isOpen: false };
  return [
    ['runs', () => QUERIES.runs(context, { ...list, trigger: null, end: null })],
    ['runs: of one end', () => QUERIES.runs(context, { ...list, trigger: 'manual', end: 'error' })],
    ['run: one', () => QUERIES.run(context, { run: 11 })],
    ['run: the first', () => QUERIES.run(context, { run: 1 })],
    ['decisions', () => QUERIES.decisions(context, decisions)],
    [
      'decision: the first, if any',
      () => QUERIES.decision(context, { decision: 1, after: null, limit: 50 }).catch(() => null),
    ],
    ['schedule', () => QUERIES.schedule(context, {})],
    ['versions', () => QUERIES.versions(context, {})],
    ['report of a run', () => QUERIES.reportFacts(context, { selection: { runId: 11 } })],
  ];
}
