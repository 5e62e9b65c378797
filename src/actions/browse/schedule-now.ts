import { jobName } from '../../config/values/job-name.js';
import { OperatorError } from '../../domain/operator-error.js';
import { mapSeries } from '../../domain/process/series.js';
import { readState } from '../../ledger/books/state/read-state.js';
import { remoteStates } from '../../report/status/status.js';
import { requireInPlace } from '../../upkeep/expected-ledger.js';
import { fromWorkspace } from '../../workspace/folders.js';
import { listInbox } from '../../workspace/inbox/list-inbox.js';
import type { ActionContext } from '../context.js';

/** Reads the jobs of the schedule, whether a service lives, and the files that wait in the inboxes. Nothing of it is personal. */
export async function scheduleNow(
  { ledger, config, paths }: ActionContext,
  _request: Readonly<Record<string, never>>,
) {
  requireInPlace(ledger);
  const filter = { jobs: config.schedule.map(jobName) };
  const facts = await readState(ledger, ['jobs', 'services', 'work', 'remoteInboxes'], filter);
  const { jobs, services, work } = facts;
  return {
    /** In the order of registrar.yaml's schedule. */
    jobs,
    /** `work`: the leases that processes hold now. */
    service: { services, work: work.leases.filter(({ isAlive }) => isAlive) },
    remoteInboxes: remoteStates(facts.remoteInboxes, config.sources),
    /** Each source's, in the order of registrar.yaml. `waiting`: files that a run would take; null: the folder can't be read. */
    inboxes: await mapSeries(config.sources, async (source) => {
      const folder = fromWorkspace(paths.inbox(source), paths);
      const inbox = { source: source.name, folder, pollMs: source.pollMs };
      try {
        const take = await listInbox(source, paths);
        return { ...inbox, waiting: take.length, problem: null };
      } catch (error) {
        if (!(error instanceof OperatorError)) throw error;
        return { ...inbox, waiting: null, problem: error.message };
      }
    }),
  };
}
