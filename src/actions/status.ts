import type { Config } from '../config/schema.js';
import { remoteInboxOf } from '../inbox/remote-inbox.js';
import { resultTargetOf } from '../inbox/result-place.js';
import { type RemotePlaceOf, type Status, statusOf } from '../report/status/status.js';
import { findAllUnmatched } from '../upkeep/find-unmatched.js';
import type { ActionContext } from './context.js';
import { readHealth } from './health/read-health.js';

/**
 * Reads what waits and until when, what needs attention, whether all is healthy, the quota in use, and the last runs.
 * @param workspace the folder to name in commands; null where commands are given in that folder.
 */
export async function status(
  context: ActionContext,
  { workspace }: { readonly workspace: string | null },
): Promise<Status> {
  const unmatched = await findAllUnmatched(context);
  const health = await readHealth(context, unmatched);
  const remotes = remotePlaces(context.config);
  const targets = resultPlaces(context.config);
  return statusOf(context.ledger, context.config, { unmatched, health, remotes, targets }, workspace);
}

/** The sources with a remote inbox, in the order of registrar.yaml. */
export function remotePlaces({ sources }: Config): RemotePlaceOf[] {
  return sources.flatMap((source) => {
    const remote = remoteInboxOf(source);
    return remote === null ? [] : { source: source.name, place: remote.place };
  });
}

/** The sources with a target for results, in the same order. */
export function resultPlaces({ sources }: Config): RemotePlaceOf[] {
  return sources.flatMap((source) => {
    const target = resultTargetOf(source);
    return target === null ? [] : { source: source.name, place: target.place };
  });
}
