import { WHOLE_RUN } from '../../actions/run/request.js';
import { carryOut } from '../../actions/run.js';
import { isoFromMs } from '../../domain/clock.js';
import { OperatorError } from '../../domain/operator-error.js';
import type { Desk } from './desk.js';
import { UNWATCHED } from './unwatched.js';

/** A run that was started from a page. */
export interface BegunRun {
  readonly source: string;
  /** Who began it. */
  readonly who: string;
  readonly begunAt: string;
  /** null while it goes on. */
  readonly outcome:
    | { readonly runId: number; readonly exit: string; readonly troubles: readonly string[] }
    | { readonly failed: string }
    | null;
}

/** For each console the last run of each source, as long as the process lives; the ledger has all runs. */
const BEGUN = new WeakMap<Desk, Map<string, BegunRun>>();

/** The last run of each source that was started from a page. */
export function runsBegun(desk: Desk): readonly BegunRun[] {
  return [...(BEGUN.get(desk)?.values() ?? [])];
}

/**
 * Starts a run that imports the files of a source and delivers, and goes on after this returns. Throws OperatorError where
 * another one that was started here goes on.
 */
export function beginRunOf(desk: Desk, source: string, who: string): void {
  const known = BEGUN.get(desk) ?? new Map<string, BegunRun>();
  BEGUN.set(desk, known);
  if (known.get(source)?.outcome === null) {
    throw new OperatorError({
      operation: 'begin a run',
      subject: source,
      message: `a run of ${source} that was started here is still running`,
      hint: 'Wait for its end; it imports files that are in the inbox now only if it has not read the inbox yet.',
    });
  }
  const begun = { source, who, begunAt: isoFromMs(desk.context().clock.nowMs()) };
  const note = (outcome: BegunRun['outcome']) => void known.set(source, { ...begun, outcome });
  note(null);
  desk.inBackground(`run of ${source}`, async (stop) => {
    try {
      const { runId, exit, troubles } = await run(desk, source, who, stop);
      note({ runId, exit, troubles: troubles.map(({ message }) => message) });
    } catch (error) {
      note({ failed: error instanceof OperatorError ? error.message : 'see the log' });
      throw error;
    }
  });
}

function run(desk: Desk, source: string, who: string, interrupt: AbortSignal) {
  const request = { ...WHOLE_RUN, sources: [source] };
  const watch = { interrupt, ...UNWATCHED };
  return carryOut(desk.context(), request, { name: who, door: 'console' }, watch);
}
