import { access, constants } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Config, ScheduleConfig, SourceConfig } from '../../config/schema.js';
import { jobName } from '../../config/values/job-name.js';
import type { UnmatchedFile } from '../../documents/common.js';
import { isSameAlert } from '../../domain/alerts/alert.js';
import { isoFromMs, msFromIso } from '../../domain/clock.js';
import {
  finding,
  type Health,
  type HealthFinding,
  type HealthPart,
  type HealthSubject,
  healthFrom,
  WORKSPACE,
} from '../../domain/health/health.js';
import { environmentFindings, outageFinding, strandedFinding } from '../../domain/health/judge-delivery.js';
import { type InboxFacts, inboxFindings, sourceFindings } from '../../domain/health/judge-files.js';
import {
  booksFindings,
  channelFinding,
  configurationFindings,
  decisionFinding,
  lineFindings,
  PAUSED_PARTS,
  pausedFindings,
  serviceFindings,
} from '../../domain/health/judge-work.js';
import { filterSeries, mapSeries } from '../../domain/process/series.js';
import { type PresentState, readState } from '../../ledger/books/state/read-state.js';
import { faultRemedy, faultText } from '../../platform/answers/fault-words.js';
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
} from './check-workspace.js';

/** What of the present state health is judged by; it is read from indexes alone. */
const PARTS = [
  ...['createdAt', 'work', 'services', 'latestRun', 'jobs', 'unbalanced', 'refusedBySource', 'outages'],
  ...['environments', 'stranded', 'arrivalTimes', 'alerts', 'remoteInboxes', 'results', 'fileSystems'],
] as const;

type Facts = Awaited<ReturnType<typeof readFacts>>;
type State = Pick<PresentState, (typeof PARTS)[number]>;

interface HealthContext extends Pick<Workspace, 'config' | 'paths' | 'clock' | 'env'> {
  /** null: there has never been one. */
  readonly ledger: ActionContext['ledger'] | null;
}

/** Missed slots that make a line overdue: a single one may be late because the slot before took longer. */
const OVERDUE_SLOTS = 2;

/** How long work on a slot may take to begin and end. Work that takes longer holds a lease, and isn't overdue. */
const GRACE_MS = 300_000;

/** A decision that needs no lease and is open for longer was left by its process. */
const OPEN_MS = 60_000;

/** Reads the health of the installation; writes nothing. @param unmatched from `findUnmatched`. */
export async function readHealth(
  context: HealthContext,
  unmatched?: readonly UnmatchedFile[],
): Promise<Health> {
  const { ledger, config, paths, clock, env } = context;
  const fault = await ledgerFault(ledger);
  const isReadable = ledger !== null && (fault === null || fault.code === 'ledger-locked');
  const inLedger = isReadable ? { ...context, ledger } : null;
  const facts = inLedger && (await readFacts(inLedger));
  const state = facts?.state;
  // Facts of the ledger have the ledger's time, whatever this machine's clock shows.
  const nowMs = (ledger?.clock ?? clock).nowMs();
  const files = unmatched ?? (await findUnmatched(context));
  const inboxes = await lookAtInboxes({ config, paths }, files, state ?? null);
  const hasService = state?.services.some(({ isAlive }) => isAlive) ?? false;
  const signs = [state?.services[0]?.seenAt, state?.latestRun?.at].filter((at) => typeof at === 'string');
  const lastSignAt = signs.sort().at(-1) ?? null;
  const places = { ledger: fault, disk: await diskFault(paths.root) };
  const all = [
    ...configurationFindings(env === null ? [] : configurationMistakes(paths.root, env)),
    ...(['ledger', 'disk'] as const).flatMap((part) => {
      const fault = places[part];
      return fault === null ? [] : finding(part, WORKSPACE, 'failed', { ...fault, exit: 'io' });
    }),
    ...inboxes.flatMap((inbox) => [...inboxFindings(inbox, nowMs, hasService, lastSignAt)]),
    ...(inLedger && facts ? await workFindings(inLedger, facts, inboxes) : []),
  ];
  const paused = [
    ...config.sources.flatMap(({ name, paused }) => pausedFindings('file', name, paused)),
    ...Object.entries(config.environments).flatMap(([name, { paused }]) =>
      pausedFindings('environment', name, paused),
    ),
    ...config.schedule.flatMap((line) => pausedFindings('schedule', jobName(line), line.paused)),
  ];
  const isPaused = ({ part, subject }: HealthSubject) =>
    paused.some((one) => one.subject === subject && PAUSED_PARTS[one.part]?.includes(part));
  const findings = [...paused, ...all.filter((one) => !isPaused(one))];
  return healthFrom(
    findings.map((one) => ({ ...one, since: one.since ?? openedAt(one, state) })),
    subjectsOf(config, facts !== null),
    facts === null ? [] : unknownDeadlines(facts),
  );
}

async function readFacts(context: ActionContext) {
  const { ledger, config } = context;
  const names = Object.keys(config.environments);
  // Only an environment with a deadline can be late; those that share a quota take permits in turn, so all of them are
  // estimated.
  const isTimed = Object.values(config.environments).some(({ deliverBy }) => deliverBy !== undefined);
  const estimates = isTimed ? await estimatesOf(context, names) : [];
  const missed = (name: string) => {
    const deliverBy = estimates.find(({ environment }) => environment === name)?.deliverBy;
    return deliverBy?.isMissed ? deliverBy.at : null;
  };
  const state = await readState(ledger, PARTS, {
    environments: environmentsOf(config).map((one) => ({ ...one, missed: missed(one.name) })),
    jobs: config.schedule.map(jobName),
    sources: config.sources.flatMap(({ name, expect }) => (expect === undefined ? [] : name)),
  });
  return { state, estimates, nowMs: ledger.clock.nowMs() };
}

/** A finding without a time of its own is as old as the alert that it opened. */
function openedAt({ part: kind, subject, code }: HealthFinding, state: State | undefined): string | null {
  return state?.alerts.open.find((alert) => isSameAlert(alert, { kind, subject, code }))?.openedAt ?? null;
}

async function workFindings(context: ActionContext, facts: Facts, inboxes: readonly InboxFacts[]) {
  const { config, paths } = context;
  const { services, latestRun, unbalanced, outages, stranded, alerts } = facts.state;
  return [
    ...booksFindings(unbalanced),
    ...serviceFindings({
      services,
      expectedBy: config.schedule.length > 0 ? 'schedule' : hasEnabledUnit(paths.root) ? 'unit' : null,
      latestRun,
      waiting: inboxes.reduce((sum, { arrivedAt }) => sum + arrivedAt.length, 0),
    }),
    ...(await mapSeries(config.schedule, (entry) => findingsOfLine(entry, facts))).flat(),
    ...(await backupFindings(config, paths.root)),
    ...(await mapSeries(config.sources, (source) => findingsOfSource(source, facts))).flat(),
    ...outages
      .filter(({ environment }) => config.environments[environment])
      .map((outage) => {
        const { environment, fault } = outage;
        const reason = `${faultText(fault)} (${new URL(fault.address).host})`;
        return outageFinding(outage, reason, faultRemedy(environment, fault));
      }),
    ...Object.entries(config.environments).flatMap(([name, { quota }]) =>
      findingsOfEnvironment(name, quota.perMs, facts),
    ),
    ...stranded.map(({ environment, waiting }) => strandedFinding(environment, waiting)),
    ...(await interruptedDecisions(context, facts)).map(decisionFinding),
    ...alerts.failing
      .filter(({ channel }) => config.alerts.channels.some(({ name }) => name === channel))
      .map(({ channel, ...failing }) => channelFinding(channel, failing)),
  ];
}

async function findingsOfLine(entry: ScheduleConfig, { state: { jobs, work }, nowMs }: Facts) {
  const job = jobName(entry);
  const facts = jobs.find((one) => one.job === job);
  if (facts === undefined) return [];
  // Loaded on use: it brings the time zone library.
  const { slotsBetween } = await import('../../report/status/slots.js');
  const isBusy = work.leases.some(({ name, isAlive }) => isAlive && name === `job:${job}`);
  const late = isBusy ? [] : slotsBetween(entry, msFromIso(facts.sinceAt), nowMs - GRACE_MS, OVERDUE_SLOTS);
  const overdueSince = late.length < OVERDUE_SLOTS ? null : isoFromMs(late[0] ?? nowMs);
  return [...lineFindings(job, facts.latest, overdueSince)];
}

/** The fault of the last tested backup, and of folders that lines of the schedule write backups to. */
async function backupFindings({ schedule }: Config, root: string): Promise<HealthFinding[]> {
  const findings: HealthFinding[] = [];
  for (const entry of schedule.filter(({ do: work }) => work.includes('backup'))) {
    const folder = resolve(root, entry.folder ?? '.');
    await access(folder, constants.W_OK | constants.X_OK).catch(() => {
      findings.push(
        finding('backup', jobName(entry), 'failed', {
          code: 'backup-folder',
          message: `Backups can't be written to ${folder}.`,
          remedy:
            'Create the folder, mount its disk, or correct folder of the schedule line in registrar.yaml.',
        }),
      );
    });
  }
  const test = readBackupTest(root);
  if (test?.fault != null)
    findings.push(
      finding('backup', WORKSPACE, 'failed', {
        code: 'backup-faulty',
        since: test.testedAt,
        message: `The last backup can't be restored: ${test.fault}.`,
        remedy: 'Make another backup, and test it: registrar backup FILE --verify.',
      }),
    );
  return findings;
}

async function findingsOfSource(config: SourceConfig, { state, nowMs }: Facts) {
  const { name, expect, timeZone } = config;
  const missingFile = async () => {
    if (expect === undefined) return null;
    // Loaded on use: it brings the time zone library.
    const { missingDrop } = await import('../../alerts/rules/expected-drop.js');
    const zone = expect.timeZone ?? timeZone ?? 'UTC';
    const came = (state.arrivalTimes.get(name) ?? []).map(msFromIso);
    return missingDrop(expect, zone, came, msFromIso(state.createdAt), nowMs);
  };
  const refused = state.refusedBySource.find(({ source }) => source === name);
  const [results] = resultStates(state.results, [config]);
  return [...sourceFindings(name, { refused, missing: await missingFile(), results })];
}

function findingsOfEnvironment(name: string, periodMs: number, { state, estimates }: Facts) {
  const isOwn = ({ environment }: { readonly environment: string }) => environment === name;
  const own = state.environments.find(isOwn);
  const findings = environmentFindings(name, {
    abandoned: state.work.abandoned.find(isOwn)?.rows ?? 0,
    pausedForMs: own?.quota.pausedForMs ?? 0,
    periodMs,
    due: own?.due ?? 0,
    deliverBy: estimates.find(isOwn)?.deliverBy ?? null,
  });
  return [...findings];
}

async function interruptedDecisions(context: ActionContext, { state: { work }, nowMs }: Facts) {
  return filterSeries(work.decisions, async ({ kind, madeAt }) => {
    const leases = (await HANDLERS[kind]?.())?.leases(context) ?? [];
    const isHeld = work.leases.some(({ name, isAlive }) => isAlive && leases.includes(name));
    return leases.length > 0 ? !isHeld : nowMs - msFromIso(madeAt) > OPEN_MS;
  });
}

/** The environments with a deadline whose end of delivery is unknown. */
function unknownDeadlines({ estimates }: Facts): HealthSubject[] {
  return estimates.flatMap(({ environment, rows, deliverBy }) => {
    const isUnknown = deliverBy !== null && rows > 0 && !deliverBy.isMissed && deliverBy.lateByMs === null;
    return isUnknown ? [{ part: 'deadline', subject: environment }] : [];
  });
}

const OWN_PARTS = ['configuration', 'ledger', 'disk', 'books', 'service', 'backup', 'decision'] as const;

/** All that is looked at; the schedule and environments only where the ledger can be read. */
function subjectsOf({ sources, schedule, environments }: Config, isKnown: boolean): HealthSubject[] {
  const of = (subjects: readonly string[], ...parts: HealthPart[]) =>
    parts.flatMap((part) => subjects.map((subject) => ({ part, subject })));
  const names = sources.map(({ name }) => name);
  return [
    ...of([WORKSPACE], ...OWN_PARTS),
    ...of(isKnown ? schedule.map(jobName) : [], 'schedule'),
    ...of(names, 'inbox', 'file'),
    ...of(isKnown ? Object.keys(environments) : [], 'environment', 'deadline', 'quota'),
  ];
}
