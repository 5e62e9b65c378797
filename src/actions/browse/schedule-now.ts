import { jobName } from '../../config/values/job-name.js';
import { OperatorError } from '../../domain/operator-error.js';
import type { JobFacts } from '../../domain/process/job.js';
import { mapSeries } from '../../domain/process/series.js';
import { type PresentState, readState } from '../../ledger/books/state/read-state.js';
import { remoteStates, resultStates } from '../../report/status/status.js';
import { requireInPlace } from '../../upkeep/expected-ledger.js';
import { fromWorkspace } from '../../workspace/folders.js';
import { listInbox } from '../../workspace/inbox/list-inbox.js';
import type { ActionContext } from '../context.js';
import { remotePlaces, resultPlaces } from '../status.js';

/** What the service does by the clock and as files come, and what is known of it. */
export interface ScheduleNow {
  /** In the order of registrar.yaml's schedule. */
  readonly jobs: readonly JobFacts[];
  /** `work`: the leases that processes hold now. */
  readonly service: Pick<PresentState, 'services'> & { readonly work: PresentState['work']['leases'] };
  /** In the order of registrar.yaml. */
  readonly inboxes: readonly InboxNow[];
  readonly remoteInboxes: ReturnType<typeof remoteStates>;
  readonly results: ReturnType<typeof resultStates>;
}

/** The content of a source's inbox. */
export interface InboxNow {
  readonly source: string;
  /** Relative to the workspace. */
  readonly folder: string;
  /** How often the service looks; 0: it doesn't. */
  readonly pollMs: number;
  /** Files that a run would take; null: the folder can't be read. */
  readonly waiting: number | null;
  /** Why the folder can't be read; null: it can. */
  readonly problem: string | null;
}

/**
 * Reads the jobs of the schedule, whether a service lives, and the unmatched files in the inboxes. Nothing of it is personal.
 */
export async function scheduleNow(
  { ledger, config, paths }: ActionContext,
  _request: Readonly<Record<string, never>>,
): Promise<ScheduleNow> {
  requireInPlace(ledger);
  const asked = { jobs: config.schedule.map(jobName) };
  const facts = await readState(ledger, ['jobs', 'services', 'work', 'remoteInboxes', 'results'], asked);
  const { jobs, services, work } = facts;
  return {
    jobs,
    service: { services, work: work.leases.filter(({ isAlive }) => isAlive) },
    remoteInboxes: remoteStates(facts.remoteInboxes, remotePlaces(config)),
    results: resultStates(facts.results, resultPlaces(config)),
    inboxes: await mapSeries(config.sources, async (source) => {
      const folder = fromWorkspace(paths.inbox(source), paths);
      const known = { source: source.name, folder, pollMs: source.pollMs };
      try {
        const take = await listInbox(source, paths);
        return { ...known, waiting: take.length, problem: null };
      } catch (error) {
        if (!(error instanceof OperatorError)) throw error;
        return { ...known, waiting: null, problem: error.message };
      }
    }),
  };
}
