import { UNWATCHED, WHOLE_RUN } from '../../actions/run/request.js';
import { carryOut } from '../../actions/run.js';
import type { ScheduleConfig } from '../../config/schema.js';
import { jobName } from '../../config/values/job-name.js';
import { isoFromMs } from '../../domain/clock.js';
import type { Decider } from '../../domain/decider.js';
import { OperatorError } from '../../domain/operator-error.js';
import { startLine } from '../../schedule/start-line.js';
import type { ConsoleContext } from './console-context.js';

/** The runs under way that this console has begun, by their numbers, each with what ends it. */
const UNDER_WAY = new WeakMap<ConsoleContext, Map<number, AbortController>>();

/**
 * Lets a person stop a run that this console has begun. @param stop ends it with the console. @returns the signal for the run, and
 * what to call once it has its number and once it has ended.
 */
export function stoppable(context: ConsoleContext, stop: AbortSignal) {
  const runs = UNDER_WAY.get(context) ?? new Map<number, AbortController>();
  UNDER_WAY.set(context, runs);
  const own = new AbortController();
  let number: number | null = null;
  return {
    interrupt: AbortSignal.any([stop, own.signal]),
    begun(runId: number) {
      number = runId;
      runs.set(runId, own);
    },
    ended: () => number !== null && runs.delete(number),
  };
}

export function mayStop(context: ConsoleContext, runId: number): boolean {
  return UNDER_WAY.get(context)?.get(runId)?.signal.aborted === false;
}

/** Stops a run that this console has begun: requests under way are finished, the rest waits. */
export function stopRun(context: ConsoleContext, runId: number): void {
  UNDER_WAY.get(context)?.get(runId)?.abort();
}

/**
 * What a person starts from a page: files of a source are imported and delivered, what waits for an environment is delivered, or the work
 * of a line of the schedule is done.
 */
export type RunSubject =
  /** `isConfirmed`: the person confirms the source's changed settings. */
  | { readonly source: string; readonly isConfirmed: boolean }
  | { readonly environment: string }
  | { readonly line: ScheduleConfig };

export interface BegunRun {
  readonly of: RunSubject;
  /** `run of academy`; of a line `jobName`. */
  readonly name: string;
  readonly who: string;
  readonly begunAt: string;
  /** null while it goes on. */
  readonly outcome:
    | { readonly runId: number | null; readonly exit: string; readonly troubles: readonly string[] }
    | { readonly failed: string }
    | null;
}

/** For each console the last run of each source, environment and line, as long as the process lives; the ledger has all runs. */
const BEGUN = new WeakMap<ConsoleContext, Map<string, BegunRun>>();

/** The last run of each source, environment and line that was started from a page. */
export function runsBegun(context: ConsoleContext): readonly BegunRun[] {
  return [...(BEGUN.get(context)?.values() ?? [])];
}

/**
 * Starts a run, which goes on after this returns. Throws OperatorError where another one of the same that was started here goes on.
 * @returns its number; null where it has ended without one.
 */
export function beginRun(context: ConsoleContext, of: RunSubject, who: string): Promise<number | null> {
  const name = nameOf(of);
  const runs = BEGUN.get(context) ?? new Map<string, BegunRun>();
  BEGUN.set(context, runs);
  if (runs.get(name)?.outcome === null) {
    throw new OperatorError({
      operation: 'begin a run',
      subject: name,
      message: 'it was started here and is still running',
      hint: `Wait for its end${
        'source' in of
          ? '; it imports files that are in the inbox now only if it has not read the inbox yet'
          : ''
      }.`,
    });
  }
  const facts = { of, name, who, begunAt: isoFromMs(context.actionContext().clock.nowMs()) };
  const note = (outcome: BegunRun['outcome']) => void runs.set(name, { ...facts, outcome });
  note(null);
  return new Promise((resolve) => {
    context.inBackground(name, async (stop) => {
      const { interrupt, begun, ended } = stoppable(context, stop);
      // A line's report or its copy of the ledger may take long.
      if ('line' in of) resolve(null);
      const begins = (runId: number) => {
        begun(runId);
        resolve(runId);
      };
      const by = { name: who, door: 'console' as const };
      try {
        note(await doneOf(context, of, by, interrupt, begins));
      } catch (error) {
        note({ failed: error instanceof OperatorError ? error.message : 'see the log' });
        throw error;
      } finally {
        ended();
        resolve(null);
      }
    });
  });
}

function nameOf(of: RunSubject): string {
  if ('line' in of) return jobName(of.line);
  return 'source' in of ? `run of ${of.source}` : `delivery to ${of.environment}`;
}

async function doneOf(
  context: ConsoleContext,
  of: RunSubject,
  who: Decider,
  stop: AbortSignal,
  begun: (runId: number) => void,
): Promise<Exclude<BegunRun['outcome'], null>> {
  if ('line' in of) return startLine(context.actionContext(), { entry: of.line, who, stop, begun });
  const request = {
    ...WHOLE_RUN,
    ...('source' in of
      ? { sources: [of.source], confirmed: of.isConfirmed ? [of.source] : [] }
      : { environments: [of.environment], intake: false }),
    begun: async (runId: number) => {
      begun(runId);
      return null;
    },
  };
  const { runId, exit, troubles } = await carryOut(context.actionContext(), request, who, {
    interrupt: stop,
    ...UNWATCHED,
  });
  return { runId, exit, troubles: troubles.map(({ message }) => message) };
}
