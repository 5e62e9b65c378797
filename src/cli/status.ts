import { status } from '../actions/status.js';
import { renderStatus } from '../report/status/render-status.js';
import type { Status } from '../report/status/status.js';
import type { Answer, Call } from './command.js';

/** The status, with commands for the folder that the command was given in. */
export async function readStatus({ io, open }: Pick<Call, 'io' | 'open'>): Promise<Status> {
  const context = await open();
  const { root } = context.paths;
  return status(context, { workspace: root === io.cwd ? null : root });
}

export async function answer(call: Call): Promise<Answer> {
  const read = await readStatus(call);
  return { document: () => read, text: (columns) => renderStatus(read, columns) };
}
