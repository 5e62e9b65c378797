import type { SourceConfig } from '../../config/schema.js';
import { mapSeries } from '../../domain/process/series.js';
import type { FetchContext, ImportProblems } from '../../inbox/fetch-files.js';
import { remoteInboxOf } from '../../inbox/remote-inbox.js';
import { thisProcess } from '../../ledger/leases/owner.js';
import type { ActionContext } from '../context.js';

/** Fetches files from remote inboxes, or archives or deletes the originals of imported files, as the source says. */
export async function fetchOrSettle(
  what: 'fetch' | 'settle',
  sources: readonly SourceConfig[],
  context: FetchContext,
): Promise<ImportProblems> {
  const remotes = sources.flatMap((source) => remoteInboxOf(source) ?? []);
  if (remotes.length === 0) return { troubles: [], unmatched: [] };
  const { fetchFiles, settleFiles } = await import('../../inbox/fetch-files.js');
  const look = what === 'fetch' ? fetchFiles : settleFiles;
  const looks = await mapSeries(remotes, async (remote) =>
    context.stop.aborted ? { troubles: [], unmatched: [] } : look(context, remote),
  );
  return {
    troubles: looks.flatMap(({ troubles }) => troubles),
    unmatched: looks.flatMap(({ unmatched }) => unmatched),
  };
}

/** Returns a function that polls the source's remote inbox when due. An outage is recorded, and the fetch retried later. */
export function remotePoller(
  source: SourceConfig,
  { ledger, clock, paths, stop }: ActionContext & Pick<FetchContext, 'stop'>,
): () => Promise<void> {
  const remote = remoteInboxOf(source);
  const owner = thisProcess();
  let nextMs = clock.monotonicMs();
  return async () => {
    if (remote === null || clock.monotonicMs() < nextMs) return;
    nextMs = clock.monotonicMs() + remote.pollMs;
    await fetchOrSettle('fetch', [source], { ledger, clock, owner, runId: null, paths, stop });
  };
}
