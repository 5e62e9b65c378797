import type { ActionContext } from '../../actions/context.js';
import { finishDecisions } from '../../actions/decision/finish.js';
import type { RunResult } from '../../actions/run/envelope.js';
import { unfinishedWork } from '../../actions/service/unfinished-work.js';
import type { OperatorError } from '../../domain/operator-error.js';
import { retryBackOff } from '../back-off.js';
import type { ServiceListener } from '../service-event.js';

/** How often the job looks for interrupted work. A decision is left alone until the second look: its process may be at work. */
const LOOK_MS = 2_000;

/**
 * Finishes what dead or interrupted processes have left, until `stop` is aborted: decisions that are not carried out to their end,
 * and files whose import was interrupted. A file is tried once, and again only after it has changed.
 * @param importFiles imports the files of a source.
 */
export async function unfinishedWorkJob(
  context: ActionContext,
  importFiles: (source: string) => Promise<RunResult>,
  stop: AbortSignal,
  listen: ServiceListener,
): Promise<void> {
  const again = retryBackOff('interrupted work', listen);
  let previous: readonly number[] = [];
  let tried = new Set<string>();
  while (!stop.aborted) {
    let waitMs = LOOK_MS;
    try {
      const { decisions, files } = await unfinishedWork(context);
      const stuck = decisions.some((id) => previous.includes(id)) ? await finish(context, listen) : undefined;
      previous = decisions;
      tried = new Set(files.flatMap(({ mark }) => (tried.has(mark) ? mark : [])));
      const fresh = files.filter(({ mark }) => !tried.has(mark));
      for (const source of new Set(fresh.map((file) => file.source))) {
        if (stop.aborted) break;
        listen({ kind: 'ran', result: await importFiles(source) });
      }
      for (const { mark } of fresh) tried.add(mark);
      if (stuck !== undefined) throw stuck;
      again.worked();
    } catch (error) {
      waitMs = again.failed(error);
    }
    await context.clock.sleep(waitMs, stop);
  }
}

/** @returns why a decision can't be carried out yet; undefined: all are, or a living process is at work on them. */
async function finish(context: ActionContext, listen: ServiceListener): Promise<OperatorError | undefined> {
  const unfinished = await finishDecisions(context, null, (decision) =>
    listen({ kind: 'decision-finished', decision }),
  );
  return unfinished.flatMap(({ error }) => error ?? [])[0];
}
