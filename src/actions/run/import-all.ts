import { importFiles } from '../../staging/import-files.js';
import type { StageListener } from '../../staging/stage-context.js';
import { markerUpdater } from '../../upkeep/expected-ledger.js';
import { fetchOrSettle } from '../inboxes/fetch-remote.js';
import type { IntakeResult, RunContext } from './run-lifecycle.js';

/**
 * The first step of a run: files are fetched from remote inboxes, and files in the inboxes become submissions. Then the
 * originals of those that count are settled.
 */
export async function importAll(run: RunContext): Promise<IntakeResult> {
  const { context, request, who, listener, owner, runId, sources, stop } = run;
  if (!request.intake) return { troubles: [], unmatched: [], isCut: false };
  const { ledger, clock, config, paths } = context;
  const keep = markerUpdater(ledger, paths);
  const listen: StageListener = (event) => {
    // Not while a large drop is staged: the less often the ledger's index is written, the faster that is.
    if (event.kind === 'published') keep();
    listener.onStage(event);
  };
  const fetching = { ledger, clock, owner, runId, paths, stop };
  const fetched = await fetchOrSettle('fetch', sources, fetching);
  const imported = await importFiles({
    ...fetching,
    sources,
    allSources: config.sources,
    confirmed: new Map(request.confirmed.map((name) => [name, who])),
    who,
    // It is needed for files of corrections alone, which are rare.
    correct: async (correction) => {
      const { applyCorrection } = await import('../correct/handler.js');
      return (await applyCorrection(context, correction, runId)).decisionId;
    },
    // A worker thread needs compiled JavaScript.
    beside: import.meta.url.endsWith('.js'),
    listen,
  });
  const isCut = stop.aborted;
  const isAway = ({ name }: (typeof sources)[number]) =>
    fetched.troubles.some(({ subject }) => subject === name);
  const settled = await fetchOrSettle(
    'settle',
    sources.filter((source) => !isAway(source)),
    fetching,
  );
  return {
    troubles: [...fetched.troubles, ...imported.troubles, ...settled.troubles],
    unmatched: [...fetched.unmatched, ...imported.unmatched, ...settled.unmatched],
    isCut,
  };
}
