import type { ScheduleConfig } from '../../config/schema.js';
import { jobName } from '../../config/values/job-name.js';
import { isoFromMs } from '../../domain/clock.js';
import { OperatorError } from '../../domain/operator-error.js';
import { startLine } from '../../schedule/start-line.js';
import type { ConsoleContext } from './console-context.js';
import { stoppable } from './run-work.js';

/** A line of the schedule that a person started from a page. */
export interface StartedLine {
  /** As `jobName` has it. */
  readonly job: string;
  readonly who: string;
  readonly startedAt: string;
  /** null while it goes on. */
  readonly outcome:
    | { readonly runId: number | null; readonly exit: string; readonly troubles: readonly string[] }
    | { readonly failed: string }
    | null;
}

/** For each console the last start of each line, as long as the process lives; the ledger has all runs. */
const STARTED = new WeakMap<ConsoleContext, Map<string, StartedLine>>();

export function startedLines(context: ConsoleContext): readonly StartedLine[] {
  return [...(STARTED.get(context)?.values() ?? [])];
}

/** Does the work of a line of the schedule in the background: its report or its copy of the ledger may take long. */
export function beginLine(context: ConsoleContext, entry: ScheduleConfig, who: string): void {
  const job = jobName(entry);
  const lines = STARTED.get(context) ?? new Map<string, StartedLine>();
  STARTED.set(context, lines);
  if (lines.get(job)?.outcome === null) {
    throw new OperatorError({
      operation: 'start a line of the schedule',
      subject: job,
      message: 'it was started here and is still running',
      hint: 'Wait for its end.',
    });
  }
  const facts = { job, who, startedAt: isoFromMs(context.actionContext().clock.nowMs()) };
  const note = (outcome: StartedLine['outcome']) => void lines.set(job, { ...facts, outcome });
  note(null);
  context.inBackground(job, async (stop) => {
    const { interrupt, begun, ended } = stoppable(context, stop);
    const by = { name: who, door: 'console' as const };
    try {
      note(await startLine(context.actionContext(), { entry, who: by, stop: interrupt, begun }));
    } catch (error) {
      note({ failed: error instanceof OperatorError ? error.message : 'see the log' });
      throw error;
    } finally {
      ended();
    }
  });
}
