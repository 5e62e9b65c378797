import { status } from '../actions/status.js';
import { renderStatus } from '../report/status/render-status.js';
import type { Answer, Call } from './command.js';
import { workspaceToName } from './io.js';

export async function answer({ io, open }: Call): Promise<Answer> {
  const context = await open();
  const result = await status(context, { workspace: workspaceToName(io, context.paths.root) });
  return { document: () => result, text: (columns) => renderStatus(result, columns) };
}
