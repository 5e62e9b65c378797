import { remotePoller } from '../../actions/inboxes/fetch-remote.js';
import type { RunResult } from '../../actions/run/run-lifecycle.js';
import { type Arrival, arrivals } from '../../actions/service/work-to-do.js';
import type { SourceConfig } from '../../config/schema.js';
import { repeatUntilStopped } from '../retry-until-stopped.js';
import type { ServiceContext } from '../service-event.js';

/** The shortest wait between two checks. */
const PAUSE_MS = 100;

/**
 * Imports a source's files soon after they arrive, until `stop` is aborted. A file is tried once, and again only after it has
 * changed: files that a run leaves in the inbox are for the schedule, or for a person. The folder is read every `pollMs`: the
 * system reports no change of a network share. Files of a remote inbox are fetched into the folder first, as often as its own
 * `poll` says.
 */
export async function intakeJob(
  service: ServiceContext,
  source: SourceConfig,
  importFiles: () => Promise<RunResult>,
): Promise<void> {
  const inbox = trackFiles(source.stableForMs);
  const lookAtRemote = remotePoller(source, service);
  const work = async () => {
    await lookAtRemote();
    const restsForMs = inbox.update(await arrivals(source, service), service.clock.monotonicMs());
    if (restsForMs > 0) return Math.min(source.pollMs, restsForMs);
    service.listen({ kind: 'ran', result: await importFiles() });
    inbox.tried();
    return PAUSE_MS;
  };
  await repeatUntilStopped(`import ${source.name}`, work, service);
}

/** Remembers which files of an inbox were tried, and since when the others have not changed. */
function trackFiles(stableForMs: number) {
  let firstSeenMs = new Map<string, number>();
  let tried = new Set<string>();
  let ready: readonly string[] = [];
  return {
    /** @returns 0: a file that was not tried is whole; else how long until the next one may be, infinite where there is none. */
    update(files: readonly Arrival[], nowMs: number): number {
      firstSeenMs = new Map(files.map(({ mark }) => [mark, firstSeenMs.get(mark) ?? nowMs]));
      tried = new Set(files.flatMap(({ mark }) => (tried.has(mark) ? mark : [])));
      // A file whose time is to come never rests by its own time.
      const fresh = files.flatMap(({ mark, restsForMs }) => {
        const unchangedMs = nowMs - (firstSeenMs.get(mark) ?? nowMs);
        return tried.has(mark) ? [] : { mark, restsForMs: Math.min(restsForMs, stableForMs - unchangedMs) };
      });
      ready = fresh.flatMap((file) => (file.restsForMs <= 0 ? file.mark : []));
      return ready.length > 0 ? 0 : Math.max(PAUSE_MS, Math.min(...fresh.map((file) => file.restsForMs)));
    },
    /** The files that were ready were tried. */
    tried() {
      tried = new Set([...tried, ...ready]);
    },
  };
}
