import { setMaxListeners } from 'node:events';
import type { Config, SourceConfig } from '../../config/schema.js';
import type { Clock } from '../../domain/clock.js';
import type { Decider } from '../../domain/decider.js';
import { needsPerson } from '../../domain/delivery/correction.js';
import { type ExitName, errorsOf, type OperatorError, worstExit } from '../../domain/operator-error.js';
import { linkedSignal } from '../../domain/process/linked-signal.js';
import type { RunEnd } from '../../domain/process/run.js';
import { countOf } from '../../domain/text/count-of.js';
import type { ImportProblems } from '../../inbox/fetch-files.js';
import { type BegunRun, withRun } from '../../ledger/attempts/with-run.js';
import { type Owner, thisProcess } from '../../ledger/leases/owner.js';
import type { PushResult } from '../../push/push-environment.js';
import type { Report } from '../../report/report.js';
import type { WrittenReport } from '../../report/write-report.js';
import { requireInPlace, unknownArchived, updateMarker } from '../../upkeep/expected-ledger.js';
import { VERSION } from '../../version.js';
import { tidyWorkspace } from '../../workspace/files/leftover-files.js';
import type { ActionContext } from '../context.js';
import { type Finished, finishDecisions } from '../decision/finish.js';
import type { ChosenRows, RunListener, RunRequest } from './request.js';
import { selectSources } from './select-sources.js';

/** What each step of a run receives. */
export interface RunContext {
  readonly context: ActionContext;
  readonly request: RunRequest;
  readonly who: Decider;
  readonly listener: RunListener;
  readonly runId: number;
  readonly owner: Owner;
  readonly sources: readonly SourceConfig[];
  /** The rows that the run delivers, where a person chose them; null: all rows that wait. */
  readonly chosen: ChosenRows | null;
  /** Called with each decision of a dead process that was finished. */
  readonly noteFinished: (finished: Finished) => void;
  /** Aborted when no more work may start: by a signal or the time limit. */
  readonly stop: AbortSignal;
}

type RunInput = Pick<RunContext, 'context' | 'request' | 'who' | 'listener'>;

interface Steps {
  readonly intake: IntakeResult;
  readonly pushes: Readonly<Record<string, PushResult>>;
  readonly report: Report;
  /** The report's files; null where there was nothing to report. */
  readonly written: WrittenReport | null;
}

/** What the import step left behind. */
export interface IntakeResult extends ImportProblems {
  /** True if the run stopped before it had read all inboxes: the next one imports the rest. */
  readonly isCut: boolean;
}

/**
 * `finished`: decisions of dead processes that the run has carried out. `intakeCut`: the run had to stop before it had looked
 * through all inboxes. `troubles`: stuck decisions, unreadable inboxes, unknown archived files, and rows that nothing delivers.
 */
export type RunResult = Awaited<ReturnType<typeof inRun>>;

/**
 * Runs the steps of a run inside its lifecycle: the run's number, the decisions that dead processes have
 * left, the time limit, the run's end, and how the process should end.
 */
export async function withRunLifecycle(
  input: RunInput,
  steps: (run: RunContext) => Promise<Steps>,
): Promise<RunResult> {
  const { ledger, config } = input.context;
  // A service may have kept the ledger open for long.
  requireInPlace(ledger);
  const owner = thisProcess();
  const run = {
    trigger: input.request.trigger,
    owner,
    version: VERSION,
    environments: Object.keys(config.environments),
  };
  return withRun(
    ledger,
    run,
    async (started) => inRun(input, owner, started, steps),
    ({ exit }) => runEnd(exit),
  );
}

async function inRun(
  input: RunInput,
  owner: Owner,
  { runId, adopted }: BegunRun,
  steps: (run: RunContext) => Promise<Steps>,
) {
  const { context, request, listener } = input;
  const { ledger, clock, config, paths } = context;
  updateMarker(ledger, paths);
  const over = new AbortController();
  const linked = linkedSignal([listener.interrupt, timeLimit(clock, request.maxDurationMs, over.signal)]);
  const stop = linked.signal;
  // Each environment that waits listens; Node would take more than ten listeners for a leak and print a warning.
  setMaxListeners(0, stop);
  try {
    // Decisions that dead processes left unfinished.
    const finished: Finished[] = [];
    const noteFinished = (decision: Finished) => void finished.push(decision);
    const stuckBefore = await finishDecisions(context, runId, noteFinished);
    const chosen = (await request.onStart?.(runId)) ?? null;
    if (adopted > 0) await tidyWorkspace(paths);
    const unknown = await unknownArchived(ledger, paths);
    const sources = selectSources(config, request.sources);
    const { intake, ...done } = await steps({ ...input, runId, owner, sources, chosen, stop, noteFinished });
    // The run may have removed what was in the way of decisions, such as rows under way.
    const stuck = stuckBefore.length > 0 ? await finishDecisions(context, runId, noteFinished) : [];
    const troubles: readonly OperatorError[] = [
      ...finished.flatMap(({ trouble }) => trouble ?? []),
      ...stuck,
      ...unknown,
      ...intake.troubles,
      ...strandedRows(done.report, config),
    ];
    const exit = exitOf(done, troubles, listener.interrupt.aborted);
    return { runId, exit, ...done, finished, intakeCut: intake.isCut, troubles };
  } finally {
    over.abort();
    linked.unlink();
  }
}

/** A signal that is aborted once the time is up, in 24 days at most; `ended` removes the timer. */
function timeLimit(clock: Clock, limitMs: number | null, ended: AbortSignal): AbortSignal {
  const over = new AbortController();
  const expire = () => {
    if (!ended.aborted) over.abort();
  };
  if (limitMs !== null) void clock.sleep(limitMs, ended).then(expire);
  return over.signal;
}

/** Rows that wait for an environment which registrar.yaml doesn't have: nothing would ever deliver them. */
function strandedRows({ waiting }: Report, config: Config): OperatorError[] {
  return waiting.flatMap(({ environment, waiting: rows }) => {
    if (config.environments[environment]) return [];
    const message = `${countOf(rows, 'row waits', 'rows wait')} for environment ${environment}, which registrar.yaml no longer has`;
    const hint = 'Restore the environment: its name is part of what was staged.';
    return errorsOf('deliver waiting rows')(environment, message, hint, { exit: 'attention' });
  });
}

function exitOf(
  { report, pushes }: Pick<Steps, 'report' | 'pushes'>,
  troubles: readonly OperatorError[],
  interrupted: boolean,
): ExitName {
  const isUnavailable = Object.values(pushes).some(({ kind }) => kind === 'unavailable');
  const needsAttention =
    report.attention > 0 ||
    report.corrections.some(({ rows }) => needsPerson(rows)) ||
    (report.unmatched ?? []).length > 0;
  return worstExit([
    report.balanced ? 'done' : 'unbalanced',
    interrupted ? 'interrupted' : 'done',
    isUnavailable ? 'unavailable' : 'done',
    needsAttention ? 'attention' : 'done',
    ...troubles.map(({ exit }) => exit),
  ]);
}

/** A run that could not import the files of a source needs attention; the reason was reported. */
function runEnd(exit: ExitName): RunEnd {
  const ends = ['done', 'attention', 'unavailable', 'unbalanced', 'interrupted'] as const;
  return ends.find((end) => end === exit) ?? 'attention';
}
