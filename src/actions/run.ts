import { setMaxListeners } from 'node:events';
import type { Config, EnvironmentConfig, SourceConfig } from '../config/schema.js';
import { type Clock, isoFromMs } from '../domain/clock.js';
import { countOf } from '../domain/count-of.js';
import type { Decider } from '../domain/decider.js';
import { failpoint } from '../domain/failpoint.js';
import { type ExitName, OperatorError, worstExit } from '../domain/operator-error.js';
import type { RunEnd, RunTrigger } from '../domain/run.js';
import type { UntakenFile } from '../domain/untaken-file.js';
import { countWaiting, waitingEnvironments } from '../ledger/claims.js';
import { requireInPlace } from '../ledger/open.js';
import { endOutagesBeside, outagesIn, outagesReported } from '../ledger/outages.js';
import { type Owner, thisProcess } from '../ledger/owner.js';
import type { Ledger } from '../ledger/query.js';
import { adoptDeadRuns, beginRun, endRun } from '../ledger/runs.js';
import type { PushResult } from '../push/push-environment.js';
import type { PushListener } from '../push/push-event.js';
import { type Report, reconcile } from '../report/report.js';
import { RUN_FORMATS, writeReport } from '../report/write-report.js';
import { settleRefused } from '../staging/settle-refused.js';
import type { StageListener } from '../staging/stage-event.js';
import { type TakenIn, takeIn } from '../staging/take-in.js';
import { keepInStep, keepMarker } from '../upkeep/expected-ledger.js';
import { findUntaken } from '../upkeep/find-untaken.js';
import { archivedTroubles } from '../upkeep/unknown-archived.js';
import { VERSION } from '../version.js';
import { accessFor, READING } from '../workspace/access.js';
import type { WorkspacePaths } from '../workspace/folders.js';
import { tidyWorkspace } from '../workspace/left-files.js';
import { finishDecisions } from './decision/finish.js';
import { carryOutUnderLease } from './map.js';

/** One execution of the flow. */
export interface RunRequest {
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly config: Config;
  readonly paths: WorkspacePaths;
  readonly trigger: RunTrigger;
  /** Who started it, for the record of what it carries out for people. */
  readonly who: Decider;
  /** Names of the sources to take in; none: all. */
  readonly sources: readonly string[];
  /** Who confirmed that a source's settings or its files' headers have changed, by source. */
  readonly confirmed?: ReadonlyMap<string, Decider>;
  /** False: leave the inboxes alone. */
  readonly intake?: boolean;
  /** False: stage only. */
  readonly push: boolean;
  /** Aborted by a signal: what is under way is finished, the rest waits. */
  readonly interrupt: AbortSignal;
  /** No request begins after this long; null: no limit. */
  readonly maxDurationMs: number | null;
  /** Called once the run has its number, before anything else; what it gives back is all that the run delivers. */
  readonly begun?: (runId: number) => Promise<Chosen>;
  readonly onStage: StageListener;
  readonly onPush: PushListener;
}

/** Rows that a person chose, by a rerun. */
export interface Chosen {
  readonly decisionId: number;
  /** Names of the environments that they are for. */
  readonly environments: readonly string[];
}

/** How a run went. */
export interface RunResult {
  readonly runId: number;
  readonly exit: ExitName;
  readonly report: Report;
  /** Where the report's files are; null when there was nothing to report. */
  readonly reportFolder: string | null;
  /** By environment. */
  readonly pushes: Readonly<Record<string, PushResult>>;
  /** True where the run had to stop before it had looked through all inboxes: the next one takes what lies there. */
  readonly intakeCut: boolean;
  /**
   * Inboxes that couldn't be read, files that changed after they had been taken in, archived files that the ledger doesn't
   * know, and rows that nothing delivers.
   */
  readonly troubles: readonly OperatorError[];
}

/**
 * drop → row → record → submission → attempt → response → report: the whole program in one function. Each step reads
 * what the one before has left in the ledger, so a crash between any two loses nothing.
 */
export async function run(request: RunRequest): Promise<RunResult> {
  const { ledger, clock, config, paths } = request;
  // A daemon has had it open for long.
  requireInPlace(ledger);
  const owner = thisProcess();
  const runId = beginRun(ledger, request.trigger, owner, VERSION);
  keepMarker(ledger, paths);
  failpoint('run-begun');
  const died = adoptDeadRuns(ledger, runId, owner);
  failpoint('dead-runs-adopted');
  // What a person decided and a process that died has not carried out.
  await finishDecisions(request, runId);
  const chosen = (await request.begun?.(runId)) ?? null;
  const ended = new AbortController();
  const limit = timeLimit(clock, request.maxDurationMs, ended.signal);
  const stop = AbortSignal.any([request.interrupt, limit]);
  // Each environment that waits listens; Node would take more than ten for a leak and warn of it.
  setMaxListeners(0, stop);
  try {
    if (died > 0) await tidyWorkspace(paths);
    const sources = selectSources(config, request.sources);
    const unknown = archivedTroubles(ledger, paths);
    const taken =
      request.intake === false ? NOT_LOOKED : await takeFiles(request, owner, runId, sources, stop);
    const intakeCut = request.intake !== false && stop.aborted;
    if (request.intake !== false) await settleRefused({ ledger, paths, sources: config.sources, runId });
    const environments = chosen === null ? environmentsOf(request, sources) : knownTo(config, chosen);
    const pushes = request.push ? await pushAll(request, owner, runId, environments, chosen, stop) : {};

    endOutagesBeside(ledger, Object.keys(config.environments));
    const untaken =
      request.intake === false
        ? null
        : allUntaken(taken, await findUntaken({ paths, clock, sources, allSources: config.sources }));
    const report = reconcile(ledger, { runId }, { environments: config.environments, untaken });
    const isKept = isWorthKeeping(report) || isOutageToTell(ledger, clock, runId);
    const reportFolder = isKept
      ? await writeReport(ledger, report, paths.reports, RUN_FORMATS, {
          config,
          isMasked: true,
          access: accessFor(config.reports.group, READING),
        })
      : null;
    if (isKept) outagesReported(ledger, outagesIn(ledger, { runId }));
    failpoint('report-written');
    const allTroubles = [...unknown, ...taken.troubles, ...strandedRows(ledger, config)];
    const exit = exitOf(report, Object.values(pushes), allTroubles, request.interrupt.aborted);
    endRun(ledger, runId, runEnd(exit));
    failpoint('run-ended');
    return { runId, exit, report, reportFolder, pushes, intakeCut, troubles: allTroubles };
  } catch (error) {
    tryToEnd(ledger, runId);
    throw error;
  } finally {
    ended.abort();
  }
}

const NOT_LOOKED: TakenIn = { troubles: [], untaken: [] };

/** What lies in an inbox by now is told as that. */
function allUntaken({ untaken }: TakenIn, lying: readonly UntakenFile[]): UntakenFile[] {
  const paths = new Set(lying.map(({ path }) => path));
  return [...lying, ...untaken.filter(({ path }) => !paths.has(path))];
}

/** The first half: what lies in the inboxes becomes submissions. */
function takeFiles(
  request: RunRequest,
  owner: Owner,
  runId: number,
  sources: readonly SourceConfig[],
  stop: AbortSignal,
): Promise<TakenIn> {
  const { ledger, clock, config, paths, who } = request;
  const keep = keepInStep(ledger, paths);
  const listen: StageListener = (event) => {
    // Not while a large drop is staged, which is the faster the fewer times its index is written.
    if (event.kind === 'published') keep();
    request.onStage(event);
  };
  const confirmed = request.confirmed ?? new Map<string, Decider>();
  // A worker thread needs compiled JavaScript.
  const beside = import.meta.url.endsWith('.js');
  const allSources = config.sources;
  return takeIn({
    ledger,
    clock,
    owner,
    runId,
    paths,
    sources,
    allSources,
    confirmed,
    who,
    mapLearner: (...mapping) => carryOutUnderLease(request, ...mapping),
    beside,
    stop,
    listen,
  });
}

/** The environments to push to: those of the sources, and where all sources run, every one that has rows waiting. */
function environmentsOf(request: RunRequest, sources: readonly SourceConfig[]): readonly string[] {
  const named = sources.map(({ environment }) => environment);
  if (request.sources.length > 0) return [...new Set(named)];
  const waiting = waitingEnvironments(request.ledger).filter((name) => request.config.environments[name]);
  return [...new Set([...named, ...waiting])];
}

function knownTo(config: Config, { environments }: Chosen): readonly string[] {
  return environments.filter((name) => config.environments[name]);
}

/** Rows that wait for an environment which registrar.yaml doesn't have: nothing would ever deliver them. */
function strandedRows(ledger: Ledger, config: Config): OperatorError[] {
  return waitingEnvironments(ledger)
    .filter((name) => !config.environments[name])
    .map(
      (name) =>
        new OperatorError({
          operation: 'deliver what waits',
          subject: name,
          message: `${countOf(countWaiting(ledger, name), 'row waits', 'rows wait')} for environment ${name}, which registrar.yaml doesn't have any more`,
          hint: 'Put the environment back; its name is part of what was staged.',
          exit: 'attention',
        }),
    );
}

/** On the way out with an error: a run that can't be closed is closed by the next one. */
function tryToEnd(ledger: Ledger, runId: number): void {
  try {
    endRun(ledger, runId, 'error');
  } catch {
    // The error that led here is the one to tell.
  }
}

/** Aborted once the time is up; `ended` takes the timer away. A timer takes 24 days at most, so they are chained. */
function timeLimit(clock: Clock, limitMs: number | null, ended: AbortSignal): AbortSignal {
  const over = new AbortController();
  const endsAtMs = clock.monotonicMs() + (limitMs ?? 0);
  const wait = async () => {
    while (!ended.aborted && clock.monotonicMs() < endsAtMs) {
      await clock.sleep(endsAtMs - clock.monotonicMs(), ended);
    }
    if (!ended.aborted) over.abort();
  };
  if (limitMs !== null) void wait();
  return over.signal;
}

/** All environments side by side; one that is down or breaks never stops another. */
async function pushAll(
  request: RunRequest,
  owner: Owner,
  runId: number,
  environments: readonly string[],
  chosen: Chosen | null,
  stop: AbortSignal,
): Promise<Record<string, PushResult>> {
  const { ledger, clock, config } = request;
  const keep = keepInStep(ledger, request.paths);
  const listen: PushListener = (event) => {
    keep();
    request.onPush(event);
  };
  // Only a run that pushes needs the network: loading it takes as long as staging a small file.
  const { pushTo } = await import('../push/push-to.js');
  const chosenBy = chosen?.decisionId ?? null;
  const context = { ledger, clock, owner, runId, chosenBy, stop, random: Math.random, listen };
  const results = await Promise.allSettled(
    environments.map((name) => pushTo(name, config.environments[name] as EnvironmentConfig, context)),
  );
  return Object.fromEntries(
    results.map((result, index) => {
      if (result.status === 'rejected') throw result.reason;
      return [environments[index] ?? '', result.value];
    }),
  );
}

function selectSources(config: Config, names: readonly string[]): readonly SourceConfig[] {
  return names.length === 0 ? config.sources : config.sources.filter(({ name }) => names.includes(name));
}

/** A run from cron that found nothing to do leaves no report behind. */
function isWorthKeeping(report: Report): boolean {
  return report.files.length > 0 || report.attempts.total > 0 || !report.balanced;
}

/**
 * An environment that can't be used is told of by a report of its own when that is new or has another cause, and then
 * once a day: the latest folder says it whenever somebody looks, and a night of runs from cron doesn't leave a hundred.
 */
function isOutageToTell(ledger: Ledger, clock: Clock, runId: number): boolean {
  const fresh = isoFromMs(clock.nowMs() - OUTAGE_TOLD_MS);
  return outagesIn(ledger, { runId }).some(
    ({ endedAt, reportedAt }) => endedAt === null && (reportedAt === null || reportedAt <= fresh),
  );
}

/** Less than a day, so that a run once a day tells it every time. */
const OUTAGE_TOLD_MS = 72_000_000;

function exitOf(
  report: Report,
  pushes: readonly PushResult[],
  troubles: readonly OperatorError[],
  interrupted: boolean,
): ExitName {
  return worstExit([
    ...(report.balanced ? [] : (['unbalanced'] as const)),
    ...(interrupted ? (['interrupted'] as const) : []),
    ...(pushes.some(({ kind }) => kind === 'unavailable') ? (['unavailable'] as const) : []),
    ...troubles.map(({ exit }) => exit),
    ...(report.attention > 0 || (report.untaken ?? []).length > 0 ? (['attention'] as const) : []),
  ]);
}

function runEnd(exit: ExitName): RunEnd {
  switch (exit) {
    case 'done':
    case 'attention':
    case 'unavailable':
    case 'unbalanced':
    case 'interrupted':
      return exit;
    default:
      // A source that could not be taken in, whose reason was told.
      return 'attention';
  }
}
