import type { SourceConfig } from '../../config/schema.js';
import { mapSeries } from '../../domain/process/series.js';
import type { FetchContext, ImportProblems } from '../../inbox/fetch-files.js';
import { remoteInboxOf } from '../../inbox/remote-inbox.js';
import { thisProcess } from '../../ledger/leases/owner.js';
import type { ActionContext } from '../context.js';

/** Fetches the files of those sources that have a remote inbox, or settles the originals of files that count by now. */
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

/** A function for a service, which fetches the source's files where it is time to. An outage is recorded, and tried again later. */
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
