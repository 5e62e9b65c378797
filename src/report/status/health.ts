import type { Config, ScheduleConfig } from '../../config/schema.js';
import { jobName } from '../../config/values/job-name.js';
import { msFromIso } from '../../domain/clock.js';
import { type ExitName, worstExit } from '../../domain/operator-error.js';
import type { JobFacts } from '../../domain/process/job.js';
import { countOf } from '../../domain/text/count-of.js';
import { type LedgerStatus, readStatus } from '../../ledger/books/read-status.js';
import { readJobs } from '../../ledger/leases/jobs.js';
import type { Ledger } from '../../ledger/store/query.js';
import { localTime } from '../text/local-time.js';
import { inWords } from './estimate.js';
import { lastingOutages, outageText, reportedOutages } from './outages.js';
import { environmentsOf } from './status.js';

export const HEALTH_CODES = ['outage', 'overdue', 'run-failed', 'unbalanced', 'line-failed'] as const;

/** One reason why work doesn't get done. */
export interface HealthProblem {
  readonly code: (typeof HEALTH_CODES)[number];
  /** null: all environments. */
  readonly environment: string | null;
  /** What is wrong, and what to do. */
  readonly message: string;
  readonly exit: ExitName;
}

/** Whether work gets done. */
export interface Health {
  readonly healthy: boolean;
  readonly exit: ExitName;
  readonly problems: readonly HealthProblem[];
}

/** How often a schedule was due; see `schedule/slots`. */
export type Firings = (
  entries: readonly ScheduleConfig[],
  afterMs: number,
  untilMs: number,
  most: number,
) => number;

/** Firings without a finished run that mean a problem: one may be missed because the run before took longer. */
const FIRINGS_MISSED = 2;

/**
 * How long the run of the last firing may take to end. A run that delivers for longer holds a lease, and counts as at work.
 */
const GRACE_MS = 300_000;

/**
 * Reads whether work gets done: every environment can be used as far as is known, the books balance, and runs finish as
 * often as the schedule says.
 */
export async function healthOf(ledger: Ledger, config: Config, firings: Firings): Promise<Health> {
  const facts = await readStatus(ledger, environmentsOf(config));
  const problems = [
    ...outageProblems(facts, config),
    ...runProblems(facts, config, firings, ledger.clock.nowMs()),
    ...lineProblems(await readJobs(ledger, config.schedule.map(jobName))),
  ];
  return {
    healthy: problems.length === 0,
    exit: worstExit(problems.map(({ exit }) => exit)),
    problems,
  };
}

function outageProblems(facts: LedgerStatus, config: Config): HealthProblem[] {
  return lastingOutages({ outages: reportedOutages(facts) })
    .filter(({ environment }) => config.environments[environment])
    .map((outage) => ({
      code: 'outage',
      environment: outage.environment,
      message: `${outageText(outage)} ${outage.remedy}`,
      exit: 'unavailable',
    }));
}

/** Lines of the schedule whose latest time came to nothing, such as a backup for which there was no room. */
function lineProblems(jobs: readonly JobFacts[]): HealthProblem[] {
  return jobs.flatMap(({ job, latest }) =>
    latest?.ending === 'failed' || latest?.ending === 'died'
      ? {
          code: 'line-failed' as const,
          environment: null,
          message: `The line of the schedule "${job}" ${latest.ending === 'died' ? 'was given up, because processes died over it,' : 'failed'} at ${localTime(msFromIso(latest.slotAt))}. See what the log of registrar schedule says of it.`,
          exit: 'attention' as const,
        }
      : [],
  );
}

function runProblems(
  { liveness, environments }: LedgerStatus,
  config: Config,
  firings: Firings,
  nowMs: number,
): HealthProblem[] {
  const { since, latestEnd, isAtWork } = liveness;
  const problem = (code: HealthProblem['code'], exit: ExitName, message: string): HealthProblem[] => [
    { code, environment: null, message, exit },
  ];
  if (latestEnd === 'unbalanced') {
    return problem(
      'unbalanced',
      'unbalanced',
      "The latest run found that the books don't balance. Keep the ledger as it is and look at registrar report.",
    );
  }
  const runs = config.schedule.filter((entry) => entry.do.includes('run'));
  if (runs.length === 0) {
    const hasFailed = latestEnd === 'error' && !isAtWork;
    return hasFailed
      ? problem('run-failed', 'attention', 'The latest run broke off with an error. Look at what it printed.')
      : [];
  }
  const sinceMs = msFromIso(since);
  if (isAtWork || firings(runs, sinceMs, nowMs - GRACE_MS, FIRINGS_MISSED) < FIRINGS_MISSED) return [];
  const waiting = environments.reduce((sum, queue) => sum + queue.waiting, 0);
  const rows = countOf(waiting, 'row waits', 'rows wait');
  const failed =
    latestEnd === 'error' || latestEnd === 'died' ? ', and the latest broke off with an error' : '';
  return problem(
    'overdue',
    'attention',
    `No run has got through since ${localTime(sinceMs)}, for ${inWords(nowMs - sinceMs)}, although the schedule was due${failed}; ${rows}. See whether registrar schedule is alive, and what its log says.`,
  );
}
