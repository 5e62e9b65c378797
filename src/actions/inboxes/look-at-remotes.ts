import type { SourceConfig } from '../../config/schema.js';
import { mapSeries } from '../../domain/process/series.js';
import type { FetchContext, Looked } from '../../inbox/fetch-files.js';
import { remoteInboxOf } from '../../inbox/remote-inbox.js';
import { thisProcess } from '../../ledger/leases/owner.js';
import type { ActionContext } from '../context.js';

/** Fetches the files of those sources that have a remote inbox, or settles the originals of files that count by now. */
export async function lookAtRemotes(
  what: 'fetch' | 'settle',
  sources: readonly SourceConfig[],
  context: FetchContext,
): Promise<Looked> {
  const remotes = sources.flatMap((source) => remoteInboxOf(source) ?? []);
  if (remotes.length === 0) return { troubles: [], untaken: [] };
  const { fetchFiles, settleFiles } = await import('../../inbox/fetch-files.js');
  const look = what === 'fetch' ? fetchFiles : settleFiles;
  const looks = await mapSeries(remotes, async (remote) =>
    context.stop.aborted ? { troubles: [], untaken: [] } : look(context, remote),
  );
  return {
    troubles: looks.flatMap(({ troubles }) => troubles),
    untaken: looks.flatMap(({ untaken }) => untaken),
  };
}

/**
 * A function for a service, which fetches the source's files where it is time to. An outage is recorded in the ledger, where
 * health and notifications find it, and is tried again at the next time.
 */
export function remoteLooks(
  source: SourceConfig,
  { ledger, clock, paths }: ActionContext,
  stop: AbortSignal,
): () => Promise<void> {
  const remote = remoteInboxOf(source);
  const owner = thisProcess();
  let nextMs = clock.monotonicMs();
  return async () => {
    if (remote === null || clock.monotonicMs() < nextMs) return;
    nextMs = clock.monotonicMs() + remote.pollMs;
    await lookAtRemotes('fetch', [source], { ledger, clock, owner, runId: null, paths, stop });
  };
}
