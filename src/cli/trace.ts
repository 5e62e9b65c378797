import { trace } from '../actions/trace.js';
import { errorsOf } from '../domain/operator-error.js';
import { notFoundText, renderTrace } from '../report/trace/render-trace.js';
import { traceDocument } from '../report/trace/trace.js';
import type { Answer, Call } from './command.js';
import type { look } from './facts.js';

export async function answer({
  inputs: [what = ''],
  options,
  workspace,
  openReadOnly,
}: Call<typeof look.trace>): Promise<Answer> {
  const context = await openReadOnly('unused');
  if (context === null) {
    const message = 'the workspace has no ledger yet, so nothing has happened in it';
    const hint = 'Put files into an inbox, and deliver them: registrar run.';
    throw errorsOf('trace')(workspace('unused').paths.ledger, message, hint);
  }
  const isVerbose = options.verbose === true;
  const traced = await trace(context, {
    what,
    searchAll: options.searchCells === true,
    inFull: isVerbose || options.json === true,
  });
  return {
    document: () => traceDocument(traced),
    text: () => (traced.kind === null ? notFoundText(traced) : renderTrace(traced, isVerbose)),
    ...(traced.kind === null ? { exit: 'attention' as const } : {}),
  };
}
