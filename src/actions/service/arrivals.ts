import type { SourceConfig } from '../../config/schema.js';
import { OperatorError } from '../../domain/operator-error.js';
import { type InboxFile, listInbox } from '../../workspace/inbox/list-inbox.js';
import { pairControls } from '../../workspace/inbox/pair-controls.js';
import { restsForMs } from '../../workspace/inbox/wait-until-stable.js';
import type { ActionContext } from '../context.js';

/** A file in an inbox that a run would take, with its control file. */
export interface Arrival {
  /** The same text as long as nobody touches the file. For an inbox that can't be read, the reason. */
  readonly mark: string;
  /** How long it has to rest until it counts as whole, in milliseconds. */
  readonly restsForMs: number;
}

/** Looks at what has arrived for a source; reads no file, and changes nothing. */
export async function arrivals(
  source: SourceConfig,
  { paths, clock }: Pick<ActionContext, 'paths' | 'clock'>,
): Promise<Arrival[]> {
  try {
    const { take } = await listInbox(source, paths);
    const { ready } = pairControls(take, source.control, clock.nowMs());
    return ready.map(({ file, control }) => {
      const files = control === null ? [file] : [file, control];
      return {
        mark: JSON.stringify(files satisfies InboxFile[]),
        restsForMs: Math.max(...files.map((one) => restsForMs(one, source.stableForMs, clock.nowMs()))),
      };
    });
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    return [{ mark: error.message, restsForMs: 0 }];
  }
}
