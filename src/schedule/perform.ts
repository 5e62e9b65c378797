import { readdir, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { RunResult } from '../actions/run/run-lifecycle.js';
import type { ScheduleConfig } from '../config/schema.js';
import { jobName } from '../config/values/job-name.js';
import { isoFromMs } from '../domain/clock.js';
import { type ExitName, errorsOf } from '../domain/operator-error.js';
import { REPORT_FORMATS } from '../report/report-formats.js';
import { lastSlotMs } from '../report/status/slots.js';
import type { ChildResult } from './child-program.js';
import type { DueSlot, Perform } from './jobs/timed-job.js';
import type { ServiceContext } from './service-event.js';

type Item = ScheduleConfig['do'][number];

/** What the items of a line call. */
export interface ItemWork {
  /** Does the work of an item, visible in pages and metrics. */
  watched<T>(what: Item, work: () => Promise<T>, exitOf: (result: T) => ExitName): Promise<T>;
  /** Imports the files of these sources; [] means all. */
  importFiles(sources: readonly string[]): Promise<RunResult>;
  /** Runs a command of this program in a separate process. */
  command(args: readonly string[]): Promise<ChildResult>;
}

interface Done {
  /** `interrupted`: it is to be carried out again. */
  readonly exit: ExitName;
  /** For the log. */
  readonly facts: object;
}

/** Runs the items of a line in order; a failure doesn't stop the next. */
export function performer(service: ServiceContext, work: ItemWork): Perform {
  const { stop, listen } = service;
  return async (entry, slot, lost) => {
    const job = jobName(entry);
    let hasFailed = false;
    for (const what of entry.do) {
      if (stop.aborted || lost.aborted) return 'interrupted';
      try {
        const item = () => ITEMS[what]({ ...service, work, entry, slot });
        const { exit, facts } = await work.watched(what, item, (done) => done.exit);
        if (exit === 'interrupted') return 'interrupted';
        hasFailed ||= !SOUND.includes(exit);
        listen({ kind: 'done', job, what, facts });
      } catch (error) {
        hasFailed = true;
        listen({ kind: 'failed', job, error, againMs: null });
      }
    }
    return hasFailed ? 'failed' : 'done';
  };
}

/** Ends of a run that did its work: the run itself reports the details. */
const SOUND: readonly ExitName[] = ['done', 'attention', 'unavailable'];

interface ItemCall extends ServiceContext {
  readonly work: ItemWork;
  readonly entry: ScheduleConfig;
  readonly slot: DueSlot;
}

const ITEMS: Readonly<Record<Item, (call: ItemCall) => Promise<Done>>> = {
  run,
  report,
  purge,
  backup,
  check,
};

async function run({ work, entry, listen }: ItemCall): Promise<Done> {
  const result = await work.importFiles(entry.sources);
  listen({ kind: 'ran', result });
  return { exit: result.exit, facts: { run: result.runId } };
}

/** Files imported since the previous slot; for the first report, since the time of the slot that would have preceded it. */
async function report({ work, entry, slot, stop }: ItemCall): Promise<Done> {
  const beforeMs = lastSlotMs(entry, 0, slot.atMs - 1) ?? slot.sinceMs;
  const since = isoFromMs(Math.min(beforeMs, slot.sinceMs));
  const until = isoFromMs(slot.atMs);
  const span = ['--since', since, '--until', until, '--inboxes'];
  const ended = await work.command(['report', ...span, '--format', REPORT_FORMATS.join(',')]);
  return done(ended, stop, 'report', { folder: ended.document?.reportFolder ?? null, since, until });
}

/** Clears old content of the ledger, and then deletes the reports of that time, which show it too. */
async function purge({ paths, work, entry, slot, stop }: ItemCall): Promise<Done> {
  const before = isoFromMs(slot.atMs - (entry.olderThanMs ?? 0));
  const because = `the schedule: ${jobName(entry)}`;
  const purged = await work.command(['purge', '--before', before, '--because', because]);
  const cleared = done(purged, stop, 'purge', { before });
  if (cleared.exit !== 'done') return cleared;
  const { reports } = paths;
  const limit = before.replaceAll(':', '-');
  const old = (await readdir(reports)).filter((name) => REPORT_NAME.test(name) && name < limit);
  for (const name of old) await rm(join(reports, name), { recursive: true });
  return { exit: 'done', facts: { before, reports: old.length } };
}

const REPORT_NAME = /^\d{4}-\d{2}-\d{2}T\d{2}-\d{2}-\d{2}Z/;

/** Copies the ledger, restores the copy for a test, and then deletes the oldest copies. */
async function backup({ paths, work, entry, slot, stop }: ItemCall): Promise<Done> {
  const folder = resolve(paths.root, entry.folder ?? '.');
  const time = isoFromMs(slot.atMs).replace(/[-:]|\.\d+/g, '');
  const file = join(folder, `registrar-${time}.db`);
  const copied = done(await work.command(['backup', file, '--force']), stop, 'backup', { file });
  if (copied.exit !== 'done') return copied;
  const verified = await work.command(['backup', file, '--verify']);
  const tested = done(verified, stop, 'backup --verify', { file });
  if (tested.exit !== 'done') return tested;
  const old = (await readdir(folder)).filter((name) => BACKUP_NAME.test(name)).sort();
  for (const name of old.slice(0, -entry.keep)) await rm(join(folder, name));
  return tested;
}

const BACKUP_NAME = /^registrar-\d{8}T\d{6}Z\.db$/;

async function check({ work, stop }: ItemCall): Promise<Done> {
  return done(await work.command(['doctor', '--offline', '--deep']), stop, 'doctor', {});
}

/** Exit codes of a command that a signal has ended. */
const INTERRUPTED: readonly (number | null)[] = [null, 130, 143];

/** A command that a signal ended while the service runs has failed: it was killed, usually for its memory. */
function done(ended: ChildResult, stop: AbortSignal, what: string, facts: object): Done {
  const { code, signal, stderr, document } = ended;
  if (stop.aborted && INTERRUPTED.includes(code)) return { exit: 'interrupted', facts };
  if (code === 0) return { exit: 'done', facts };
  const { message, hint } = (document?.error ?? {}) as { message?: string; hint?: string };
  throw errorsOf(`carry out ${what}`)(
    what,
    message ?? brokenIn(document) ?? `${what} ended with ${signal ?? `exit code ${code}`}: ${stderr}`,
    hint ?? `Run registrar ${what} by hand, and read its output and the log of the system.`,
    { exit: 'attention' },
  );
}

/** What the doctor has found broken; null where the document is none of its. */
function brokenIn(document: ChildResult['document']): string | null {
  const checks = document?.checks;
  if (!Array.isArray(checks)) return null;
  const broken = checks.filter(({ verdict }) => verdict === 'broken');
  return broken.map(({ check, message }) => `${check}: ${message}`).join('; ');
}
