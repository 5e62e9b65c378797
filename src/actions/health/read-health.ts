import { access, constants } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Config, ScheduleConfig } from '../../config/schema.js';
import { jobName } from '../../config/values/job-name.js';
import type { UnmatchedFile } from '../../documents/common.js';
import type { DeliveryEstimate } from '../../documents/run.js';
import { isSameAlert } from '../../domain/alerts/alert.js';
import { isoFromMs, msFromIso } from '../../domain/clock.js';
import type {
  DecisionFacts,
  EnvironmentFacts,
  HealthFacts,
  LineFacts,
  SourceFacts,
  WorkFacts,
} from '../../domain/health/facts.js';
import type { Health } from '../../domain/health/health.js';
import { judgeHealth } from '../../domain/health/judge-health.js';
import { mapSeries } from '../../domain/process/series.js';
import { type PresentState, readState } from '../../ledger/books/state/read-state.js';
import { faultInWords, faultRemedy } from '../../platform/answers/fault-words.js';
import { estimatesOf } from '../../report/status/delivery-estimate.js';
import { environmentsOf, resultStates } from '../../report/status/status.js';
import { findUnmatched } from '../../upkeep/find-unmatched.js';
import type { ActionContext, Workspace } from '../context.js';
import { HANDLERS } from '../decision/handlers.js';
import { readBackupTest } from '../upkeep/backup-test.js';
import {
  configurationMistakes,
  diskFault,
  hasEnabledUnit,
  ledgerFault,
  lookAtInboxes,
} from './look-at-place.js';

/** What of the present state health is judged by; it is read from indexes alone. */
const PARTS = [
  ...['createdAt', 'work', 'services', 'latestRun', 'jobs', 'unbalanced', 'refusedBySource', 'outages'],
  ...['environments', 'stranded', 'arrivalTimes', 'alerts', 'remoteInboxes', 'results', 'fileSystems'],
] as const;

type KnownFacts = Pick<PresentState, (typeof PARTS)[number]>;

export interface HealthContext extends Pick<Workspace, 'config' | 'paths' | 'clock' | 'env'> {
  /** null: there has never been one. */
  readonly ledger: ActionContext['ledger'] | null;
}

/** Missed slots that make a line overdue: a single one may be late because the slot before took longer. */
const OVERDUE_SLOTS = 2;

/** How long work on a slot may take to begin and end. Work that takes longer holds a lease, and isn't overdue. */
const GRACE_MS = 300_000;

/** A decision that needs no lease and is open for longer was left by its process. */
const OPEN_MS = 60_000;

/** Reads the one answer to whether all is healthy; writes nothing. @param unmatched as `findUnmatched` has just found them. */
export async function readHealth(
  context: HealthContext,
  unmatched?: readonly UnmatchedFile[],
): Promise<Health> {
  const { ledger, config, paths, clock, env } = context;
  const fault = await ledgerFault(ledger);
  const isReadable = ledger !== null && (fault === null || fault.code === 'ledger-locked');
  const facts = isReadable ? await ledgerFacts({ ...context, ledger }) : null;
  const judged: HealthFacts = {
    // Facts of the ledger have the ledger's time, whatever this machine's clock shows.
    nowMs: (ledger?.clock ?? clock).nowMs(),
    configuration: env === null ? [] : configurationMistakes(paths.root, env),
    ledger: fault,
    disk: await diskFault(paths.root),
    paused: pausedParts(config),
    inboxes: await lookAtInboxes(
      { config, paths },
      unmatched ?? (await findUnmatched(context)),
      facts?.known ?? null,
    ),
    work: facts?.work ?? null,
  };
  return withKnownBeginnings(judgeHealth(judged), facts?.known.alerts.open ?? []);
}

/** Findings without a time of their own are as old as the alert that they opened. */
function withKnownBeginnings(health: Health, alerts: KnownFacts['alerts']['open']): Health {
  const openedAt = ({ part: kind, subject, code }: Health['findings'][number]) =>
    alerts.find((alert) => isSameAlert(alert, { kind, subject, code }))?.openedAt ?? null;
  return {
    ...health,
    findings: health.findings.map((finding) => ({ ...finding, since: finding.since ?? openedAt(finding) })),
  };
}

async function ledgerFacts(context: ActionContext) {
  const { ledger, config, paths } = context;
  const environments = Object.entries(config.environments);
  // Only an environment with a deadline can be late; those that share a quota take permits in turn, so all of them are
  // estimated.
  const isTimed = environments.some(([, { deliverBy }]) => deliverBy !== undefined);
  const estimates = isTimed ? await estimatesOf(context, Object.keys(config.environments)) : [];
  const state = await readState(ledger, PARTS, {
    environments: environmentsOf(config).map((environment) => ({
      ...environment,
      missed: missedDeadline(estimates, environment.name),
    })),
    jobs: config.schedule.map(jobName),
    sources: config.sources.flatMap(({ name, expect }) => (expect === undefined ? [] : name)),
  });
  const nowMs = ledger.clock.nowMs();
  const signs = [state.services[0]?.seenAt, state.latestRun?.at].filter((at) => typeof at === 'string');
  const work: WorkFacts = {
    services: state.services,
    serviceExpectedBy: config.schedule.length > 0 ? 'schedule' : hasEnabledUnit(paths.root) ? 'unit' : null,
    latestRun: state.latestRun,
    lastSignAt: signs.sort().at(-1) ?? null,
    lines: await mapSeries(config.schedule, async (entry) => lineFacts(entry, state, nowMs)),
    backups: await backupFaults(config, paths.root),
    unbalanced: state.unbalanced,
    sources: await mapSeries(config.sources, async (source) => sourceFacts(source, state, nowMs)),
    outages: state.outages
      .filter(({ environment }) => config.environments[environment])
      .map(({ fault, ...outage }) => ({
        ...outage,
        reason: `${faultInWords(fault)} (${new URL(fault.address).host})`,
        remedy: faultRemedy(outage.environment, fault),
      })),
    environments: environments.map(([name, { quota }]) =>
      environmentFacts(name, quota.perMs, state, estimates),
    ),
    stranded: state.stranded.map(({ environment, waiting }) => ({ environment, rows: waiting })),
    decisions: await decisionFacts(context, state, nowMs),
    channels: state.alerts.failing.filter(({ channel }) =>
      config.alerts.channels.some(({ name }) => name === channel),
    ),
  };
  return { known: state, work };
}

function pausedParts({ sources, environments, schedule }: Config): HealthFacts['paused'] {
  const of = (part: HealthFacts['paused'][number]['part'], subject: string, because: string | undefined) =>
    because === undefined ? [] : [{ part, subject, because }];
  return [
    ...sources.flatMap(({ name, paused }) => of('file', name, paused)),
    ...Object.entries(environments).flatMap(([name, { paused }]) => of('environment', name, paused)),
    ...schedule.flatMap((line) => of('schedule', jobName(line), line.paused)),
  ];
}

function missedDeadline(estimates: readonly DeliveryEstimate[], name: string): string | null {
  const deliverBy = estimates.find(({ environment }) => environment === name)?.deliverBy;
  return deliverBy?.isMissed ? deliverBy.at : null;
}

async function lineFacts(
  entry: ScheduleConfig,
  { jobs, work }: KnownFacts,
  nowMs: number,
): Promise<LineFacts> {
  // It loads what knows zones.
  const { slotsBetween } = await import('../../report/status/slots.js');
  const job = jobName(entry);
  const facts = jobs.find((one) => one.job === job);
  const latest = facts?.latest ?? null;
  const isAtWork = work.leases.some(({ name, isAlive }) => isAlive && name === `job:${job}`);
  const late =
    facts === undefined || isAtWork
      ? []
      : slotsBetween(entry, msFromIso(facts.sinceAt), nowMs - GRACE_MS, OVERDUE_SLOTS);
  return {
    job,
    latest: latest && {
      at: latest.slotAt,
      hasFailed: latest.ending === 'failed',
      hasDied: latest.ending === 'died',
    },
    overdueSince: late.length < OVERDUE_SLOTS ? null : isoFromMs(late[0] ?? nowMs),
  };
}

/** The fault of the last tested backup, and of folders that lines of the schedule write backups to. */
async function backupFaults({ schedule }: Config, root: string): Promise<WorkFacts['backups']> {
  const faults: WorkFacts['backups'][number][] = [];
  for (const entry of schedule.filter(({ do: work }) => work.includes('backup'))) {
    const folder = resolve(root, entry.folder ?? '.');
    await access(folder, constants.W_OK | constants.X_OK).catch(() => {
      faults.push({
        subject: jobName(entry),
        code: 'backup-folder',
        since: null,
        message: `Backups can't be written to ${folder}.`,
        remedy: 'Make the folder, mount its disk, or correct folder of the line in registrar.yaml.',
      });
    });
  }
  const test = readBackupTest(root);
  if (test?.fault != null)
    faults.push({
      subject: 'registrar',
      code: 'backup-faulty',
      since: test.testedAt,
      message: `The last backup can't be restored: ${test.fault}`,
      remedy: 'Make another backup, and test it: registrar backup FILE --verify.',
    });
  return faults;
}

async function sourceFacts(
  config: Config['sources'][number],
  { refusedBySource, arrivalTimes, createdAt, results: open }: KnownFacts,
  nowMs: number,
): Promise<SourceFacts> {
  const { name, expect, timeZone } = config;
  const [failing] = resultStates(open, [config]);
  const facts = {
    source: name,
    refused: refusedBySource.find(({ source }) => source === name) ?? null,
    results:
      failing?.since == null || failing.error === null
        ? null
        : { since: failing.since, count: failing.failing, place: failing.place, error: failing.error },
  };
  if (expect === undefined) return { ...facts, missing: null };
  // It loads what knows zones.
  const { missingDrop } = await import('../../alerts/rules/expected-drop.js');
  const zone = expect.timeZone ?? timeZone ?? 'UTC';
  const came = (arrivalTimes.get(name) ?? []).map(msFromIso);
  const missing = missingDrop(expect, zone, came, msFromIso(createdAt), nowMs);
  return {
    ...facts,
    missing: missing && {
      since: isoFromMs(missing.expectedByMs),
      latestAt: missing.latestMs === null ? null : isoFromMs(missing.latestMs),
    },
  };
}

function environmentFacts(
  name: string,
  periodMs: number,
  state: KnownFacts,
  estimates: readonly DeliveryEstimate[],
): EnvironmentFacts {
  const estimate = estimates.find(({ environment }) => environment === name);
  const own = state.environments.find(({ environment }) => environment === name);
  const abandoned = state.work.abandoned.find(({ environment }) => environment === name)?.rows ?? 0;
  const deliverBy = estimate?.deliverBy ?? null;
  const hasDue = deliverBy !== null && (deliverBy.isMissed || (estimate?.rows ?? 0) > 0);
  return {
    environment: name,
    abandoned,
    pausedForMs: own?.quota.pausedForMs ?? 0,
    periodMs,
    deadline: hasDue ? { ...deliverBy, rows: own?.due ?? 0 } : null,
  };
}

async function decisionFacts(context: ActionContext, { work }: KnownFacts, nowMs: number) {
  return mapSeries(work.decisions, async ({ decisionId, kind, madeAt }): Promise<DecisionFacts> => {
    const leases = (await HANDLERS[kind]?.())?.leases(context) ?? [];
    const isHeld = work.leases.some(({ name, isAlive }) => isAlive && leases.includes(name));
    const isOld = nowMs - msFromIso(madeAt) > OPEN_MS;
    return { decisionId, kind, madeAt, isInterrupted: leases.length > 0 ? !isHeld : isOld };
  });
}
