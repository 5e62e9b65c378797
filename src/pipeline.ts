import type { Config, EnvironmentConfig, SourceConfig } from './config/schema.js';
import type { Clock } from './domain/clock.js';
import { type ExitName, type OperatorError, worstExit } from './domain/operator-error.js';
import type { RunEnd, RunTrigger } from './domain/run.js';
import { type Owner, thisProcess } from './ledger/owner.js';
import type { Ledger } from './ledger/query.js';
import { beginRun, endRun } from './ledger/runs.js';
import type { PushResult } from './push/push-environment.js';
import type { PushListener } from './push/push-event.js';
import { pushTo } from './push/push-to.js';
import { type Report, reconcile } from './report/report.js';
import { writeReport } from './report/write-report.js';
import type { StageListener } from './staging/stage-event.js';
import { takeIn } from './staging/take-in.js';
import { VERSION } from './version.js';
import type { WorkspacePaths } from './workspace/folders.js';

/** One execution of the flow. */
export interface RunRequest {
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly config: Config;
  readonly paths: WorkspacePaths;
  readonly trigger: RunTrigger;
  /** Names of the sources to take in; none: all. */
  readonly sources: readonly string[];
  /** Who confirmed that a source's settings have changed, by source. */
  readonly confirmed?: ReadonlyMap<string, string>;
  /** False: leave the inboxes alone. */
  readonly intake?: boolean;
  /** False: stage only. */
  readonly push: boolean;
  /** Aborted by a signal: what is under way is finished, the rest waits. */
  readonly interrupt: AbortSignal;
  /** No request begins after this long; null: no limit. */
  readonly maxDurationMs: number | null;
  /** Called once the run has its number, before anything else. */
  readonly begun?: (runId: number) => void;
  readonly onStage: StageListener;
  readonly onPush: PushListener;
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
  /** Inboxes that couldn't be read. */
  readonly troubles: readonly OperatorError[];
}

/**
 * drop → row → record → submission → attempt → response → report: the whole program in one function. Each step reads
 * what the one before has left in the ledger, so a crash between any two loses nothing.
 */
export async function run(request: RunRequest): Promise<RunResult> {
  const { ledger, clock, config, paths } = request;
  const owner = thisProcess();
  const runId = beginRun(ledger, request.trigger, owner, VERSION);
  request.begun?.(runId);
  const limit = request.maxDurationMs === null ? [] : [AbortSignal.timeout(request.maxDurationMs)];
  const stop = AbortSignal.any([request.interrupt, ...limit]);
  try {
    const sources = selectSources(config, request.sources);
    const listen = request.onStage;
    // A worker thread needs compiled JavaScript.
    const beside = import.meta.url.endsWith('.js');
    const all = config.sources;
    const confirmed = request.confirmed ?? new Map<string, string>();
    const intake = {
      ledger,
      clock,
      owner,
      runId,
      paths,
      sources,
      allSources: all,
      confirmed,
      beside,
      stop,
      listen,
    };
    const troubles = request.intake === false ? [] : await takeIn(intake);
    const pushes = request.push ? await pushAll(request, owner, runId, sources, stop) : {};

    const report = reconcile(ledger, { runId });
    const reportFolder = isWorthKeeping(report) ? await writeReport(ledger, report, paths.reports) : null;
    const exit = exitOf(report, Object.values(pushes), troubles, request.interrupt.aborted);
    endRun(ledger, runId, runEnd(exit));
    return { runId, exit, report, reportFolder, pushes, troubles };
  } catch (error) {
    endRun(ledger, runId, 'error');
    throw error;
  }
}

/** All environments that the sources deliver to, side by side; one that is down never stops another. */
async function pushAll(
  request: RunRequest,
  owner: Owner,
  runId: number,
  sources: readonly SourceConfig[],
  stop: AbortSignal,
): Promise<Record<string, PushResult>> {
  const { ledger, clock, config, onPush: listen } = request;
  const names = [...new Set(sources.map((source) => source.environment))];
  const results = await Promise.all(
    names.map(async (name) => {
      const environment = config.environments[name] as EnvironmentConfig;
      const context = { ledger, clock, owner, runId, stop, random: Math.random, listen };
      return [name, await pushTo(name, environment, context)] as const;
    }),
  );
  return Object.fromEntries(results);
}

function selectSources(config: Config, names: readonly string[]): readonly SourceConfig[] {
  return names.length === 0 ? config.sources : config.sources.filter(({ name }) => names.includes(name));
}

/** A run from cron that found nothing to do leaves no report behind. */
function isWorthKeeping(report: Report): boolean {
  return report.files.length > 0 || report.attempts.total > 0 || !report.balanced;
}

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
    ...(report.attention > 0 ? (['attention'] as const) : []),
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
      return 'error';
  }
}
