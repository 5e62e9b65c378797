import type { SourceConfig } from '../../config/schema.js';
import { OperatorError } from '../../domain/operator-error.js';
import { listInbox, restsForMs } from '../../workspace/inbox/list-inbox.js';
import type { ActionContext } from '../context.js';

/** A file in an inbox that a run would take. */
export type Arrival = Awaited<ReturnType<typeof arrivals>>[number];

/**
 * Looks at what has arrived for a source; reads no file, and changes nothing.
 * @returns `mark`: the same text as long as the file is unchanged; for an inbox that can't be read, the reason. `restsForMs`: how long
 *   it has to rest until it counts as whole.
 */
export async function arrivals(
  source: SourceConfig,
  { paths, clock }: Pick<ActionContext, 'paths' | 'clock'>,
) {
  try {
    const take = await listInbox(source, paths);
    return take.map((file) => ({
      mark: JSON.stringify(file),
      restsForMs: restsForMs(file, source.stableForMs, clock.nowMs()),
    }));
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    return [{ mark: error.message, restsForMs: 0 }];
  }
}
