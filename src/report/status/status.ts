import type { Config, ScheduleConfig, SourceConfig } from '../../config/schema.js';
import { jobName } from '../../config/values/job-name.js';
import type { UnmatchedFile } from '../../documents/common.js';
import type { ScheduledLine } from '../../documents/status.js';
import { isoFromMs, msFromIso } from '../../domain/clock.js';
import type { Health } from '../../domain/health/health.js';
import type { Remedy } from '../../domain/remedy.js';
import { remoteInboxOf } from '../../inbox/remote-inbox.js';
import { resultTargetOf } from '../../inbox/result-place.js';
import { type PresentState, type ReadEnvironment, readState } from '../../ledger/books/state/read-state.js';
import type { Ledger } from '../../ledger/store/query.js';
import { commandLine, commandOf } from '../text/command-line.js';
import { causeAdvice } from '../words/cause-advice.js';
import { causeWords } from '../words/causes.js';
import { withEstimates } from './delivery-estimate.js';
import { lastingOutages, reportedOutages } from './outages.js';

const PARTS = [
  'work',
  'jobs',
  'environments',
  'stranded',
  'outages',
  'causes',
  'unknownLearners',
  'refusedFiles',
  'runs',
  'alerts',
  'remoteInboxes',
  'results',
] as const;

/** The status: waiting rows, what needs attention with its remedy, and what happened last. */
export type Status = Awaited<ReturnType<typeof statusOf>>;

/**
 * Reads the status from the ledger; docs/cli-json.md describes the document.
 * @param now unmatched files in the inboxes, and the health, as just found.
 * @param workspace the folder to name in commands; null where commands are given in that folder.
 */
export async function statusOf(
  ledger: Ledger,
  config: Config,
  { unmatched, health }: { readonly unmatched: readonly UnmatchedFile[]; readonly health: Health },
  workspace: string | null,
) {
  const command = (remedy: Remedy) => commandLine(remedy, workspace);
  const facts = await readState(ledger, PARTS, {
    environments: environmentsOf(config),
    jobs: config.schedule.map(jobName),
  });
  const outages = lastingOutages({ outages: reportedOutages(facts) }).filter(
    ({ environment }) => config.environments[environment],
  );
  return {
    health,
    environments: await environmentsNow(ledger, config, facts.environments),
    outages,
    stranded: facts.stranded.map(({ environment, waiting }) => ({ environment, waiting })),
    attention: facts.causes.map((cause) => {
      const { drops, example: _, ...counted } = cause;
      const { remedies, choices } = causeAdvice({ ...cause, states: [counted] }, {});
      return {
        ...counted,
        ...causeWords(cause),
        commands: remedies.map(command),
        remedies,
        files: drops.length,
        choices: choices.map((choice) => ({ ...choice, command: command(choice.remedy) })),
      };
    }),
    unknownLearners: unknownLearners(facts.unknownLearners, config),
    decisions: facts.work.decisions.map(({ decisionId, kind, who, door, madeAt }) => ({
      decision: decisionId,
      kind,
      who,
      door,
      madeAt,
      remedy:
        kind === 'restore'
          ? `New rows wait until it is finished: ${command({ action: 'restore', finish: true })}.`
          : 'The next registrar run or decision finishes it, unless its process still does.',
    })),
    refusedFiles: facts.refusedFiles.map((file) => {
      const remedy = { action: 'dismiss', drop: file.drop } as const;
      return { ...file, command: command(remedy), remedy };
    }),
    unmatched,
    remoteInboxes: remoteStates(facts.remoteInboxes, config.sources),
    results: resultStates(facts.results, config.sources),
    alerts: {
      channels: config.alerts.channels.length,
      open: facts.alerts.open.length,
      closing: facts.alerts.open.filter(({ overAt }) => overAt !== null).length,
      failing: facts.alerts.failing
        .filter(({ channel }) => config.alerts.channels.some(({ name }) => name === channel))
        .map((failing) => {
          const words = ['alerts', 'test', '--channel', failing.channel];
          return { ...failing, command: commandOf(words, workspace) };
        }),
    },
    schedule: await scheduledLines(ledger, config.schedule, facts.jobs),
    runs: facts.runs,
  };
}

/** What is known of the remote inboxes of these sources, in their order. Times are ISO; null: never, and no outage. */
export function remoteStates(inboxes: PresentState['remoteInboxes'], sources: readonly SourceConfig[]) {
  return sources.flatMap((source) => {
    const remote = remoteInboxOf(source);
    if (remote === null) return [];
    const inbox = inboxes.find((one) => one.source === source.name);
    return {
      source: source.name,
      place: remote.place,
      lookedAt: inbox?.lookedAt ?? null,
      fetchedAt: inbox?.fetchedAt ?? null,
      waiting: inbox?.waiting ?? 0,
      oldestAt: inbox?.oldestAt ?? null,
      awaySince: inbox?.away?.since ?? null,
    };
  });
}

/** For each source with a target. `moving`: of files with rows that still wait to be sent; `since`: ISO; null: none failed. */
export function resultStates(open: PresentState['results'], sources: readonly SourceConfig[]) {
  return sources.flatMap((source) => {
    const target = resultTargetOf(source);
    if (target === null) return [];
    const own = open.filter((result) => result.source === source.name);
    const failed = own.filter(({ error }) => error !== null);
    const latest = failed.toSorted((a, b) => b.tries - a.tries)[0];
    return {
      source: source.name,
      place: target.place,
      waiting: own.length,
      moving: own.filter(({ isMoving }) => isMoving).length,
      failing: failed.length,
      since: failed.map(({ failedAt }) => failedAt).sort()[0] ?? null,
      error: latest?.error ?? null,
    };
  });
}

export function environmentsOf({ environments }: Config): ReadEnvironment[] {
  return Object.entries(environments).map(([name, { clientId, recheck }]) => ({
    name,
    clientId,
    rechecks: recheck.times,
  }));
}

async function environmentsNow(ledger: Ledger, config: Config, states: PresentState['environments']) {
  const estimated = await withEstimates({ ledger, config, clock: ledger.clock }, states);
  return estimated.map(({ environment, waiting, pushedBy, quota, estimate }) => {
    const settings = config.environments[environment];
    const sharedWith = Object.entries(config.environments)
      .filter(([other, { clientId }]) => other !== environment && clientId === settings?.clientId)
      .map(([other]) => other);
    return {
      environment,
      waiting,
      requests: estimate.requests,
      estimatedMs: estimate.estimatedMs,
      estimatedEnd: estimate.estimatedEnd,
      deliverBy: estimate.deliverBy,
      quota: { allowed: settings?.quota.requests ?? 0, ...quota, sharedWith },
      pushedBy,
    };
  });
}

function unknownLearners(counts: PresentState['unknownLearners'], config: Config) {
  return counts.map(({ environment, learners, rows, checkedAt, spent }) => ({
    environment,
    learners,
    rows,
    nextRecheck:
      checkedAt === null
        ? null
        : isoFromMs(msFromIso(checkedAt) + (config.environments[environment]?.recheck.afterMs ?? 0)),
    spent,
  }));
}

async function scheduledLines(
  { clock }: Ledger,
  schedule: readonly ScheduleConfig[],
  jobs: PresentState['jobs'],
): Promise<ScheduledLine[]> {
  if (schedule.length === 0) return [];
  // It loads what knows zones.
  const { nextSlotMs } = await import('./slots.js');
  return schedule.flatMap((line, index) => {
    const jobFacts = jobs[index];
    if (jobFacts === undefined) return [];
    const { job, latest, lastDoneAt } = jobFacts;
    const nextMs = nextSlotMs(line, clock.nowMs());
    return {
      job,
      slotAt: latest?.slotAt ?? null,
      ending: latest?.ending ?? null,
      missed: latest?.missed ?? 0,
      lastDoneAt,
      nextAt: nextMs === null ? null : isoFromMs(nextMs),
    };
  });
}
