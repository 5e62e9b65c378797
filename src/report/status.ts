import type { Config } from '../config/schema.js';
import { isoFromMs, msFromIso } from '../domain/clock.js';
import type { Remedy } from '../domain/remedy.js';
import type { UntakenFile } from '../domain/untaken-file.js';
import { causesIn } from '../ledger/attention.js';
import { countWaiting, waitingEnvironments } from '../ledger/claims.js';
import { openDecisions } from '../ledger/decision-log.js';
import type { Ledger } from '../ledger/query.js';
import { clientRef, quotaInUse } from '../ledger/quota.js';
import { refusedDrops } from '../ledger/refused-drops.js';
import { countsOfRun, lastRuns } from '../ledger/runs.js';
import { unknownByEnvironment } from '../ledger/unknown-learners.js';
import { causeAdvice } from './cause-advice.js';
import { causeWords } from './cause-words.js';
import { commandLine } from './command-line.js';
import { estimatedMs } from './estimate.js';
import { CARRIED_OUT_NEXT } from './open-decision.js';
import { lastingOutages, type ReportedOutage, reportedOutages } from './outages.js';
import { queueOf } from './queue.js';

/** How things stand: what waits, what needs a person and how to see to it, and what happened last. */
export type Status = ReturnType<typeof statusOf>;

/** How many runs are shown. */
const RUNS = 5;

/**
 * Reads off the ledger how things stand; docs/cli-json.md describes the document.
 * @param untaken what was just seen to lie where files come in, and no source takes.
 * @param workspace the folder to name in commands; null: they are given in it.
 */
export function statusOf(
  ledger: Ledger,
  config: Config,
  untaken: readonly UntakenFile[],
  workspace: string | null,
) {
  const command = (remedy: Remedy) => commandLine(remedy, workspace);
  const outages = lastingOutages({ outages: reportedOutages(ledger, {}) }).filter(
    ({ environment }) => config.environments[environment],
  );
  return {
    environments: Object.keys(config.environments).map((name) =>
      environmentStatus(ledger, config, name, outages),
    ),
    outages,
    stranded: waitingEnvironments(ledger)
      .filter((name) => !config.environments[name])
      .map((environment) => ({ environment, waiting: countWaiting(ledger, environment) })),
    attention: causesIn(ledger, {}).map((cause) => {
      const { code, state, count, drops } = cause;
      const { remedies, choices } = causeAdvice({ ...cause, states: [{ state, count }] }, {});
      const words = causeWords(cause);
      const commands = remedies.map(command);
      const [only = null, ...others] = commands;
      return {
        code,
        cause: cause.cause,
        state,
        count,
        ...words,
        command: others.length === 0 ? only : null,
        commands,
        remedies,
        files: drops.length,
        choices: choices.map((choice) => ({ ...choice, command: command(choice.remedy) })),
      };
    }),
    unknownLearners: unknownLearners(ledger, config),
    decisions: openDecisions(ledger).map(({ decisionId, kind, who, door, madeAt }) => ({
      decision: decisionId,
      kind,
      who,
      door,
      madeAt,
      remedy:
        kind === 'restore'
          ? `Rows that are new wait for somebody to settle it: ${command({ action: 'restore', settle: true })}.`
          : CARRIED_OUT_NEXT,
    })),
    setAside: refusedDrops(ledger).map(({ dropId, ...drop }) => {
      const remedy = { action: 'dismiss', drop: dropId } as const;
      return { drop: dropId, ...drop, command: command(remedy), remedy };
    }),
    untaken,
    runs: lastRuns(ledger, RUNS).map((run) => ({ ...run, ...countsOfRun(ledger, run.runId) })),
  };
}

function environmentStatus(ledger: Ledger, config: Config, name: string, outages: readonly ReportedOutage[]) {
  const environment = config.environments[name];
  if (!environment) throw new Error(`no environment ${name}`);
  const { pushedBy, ...queue } = queueOf(ledger, name, environment, outages);
  const sharedWith = Object.entries(config.environments)
    .filter(([other, { clientId }]) => other !== name && clientId === environment.clientId)
    .map(([other]) => other);
  return {
    ...queue,
    estimatedMs: estimatedMs(queue.waiting, environment),
    quota: {
      allowed: environment.quota.requests,
      ...quotaInUse(ledger, clientRef(environment.clientId)),
      sharedWith,
    },
    pushedBy,
  };
}

function unknownLearners(ledger: Ledger, config: Config) {
  const policyOf = (environment: string) =>
    config.environments[environment]?.recheck ?? { after: 0, times: 0 };
  return unknownByEnvironment(ledger, (name) => policyOf(name).times).map(
    ({ environment, learners, rows, askedAt, spent }) => ({
      environment,
      learners,
      rows,
      nextRecheck: askedAt === null ? null : isoFromMs(msFromIso(askedAt) + policyOf(environment).after),
      spent,
    }),
  );
}
