import type { Config } from '../../config/schema.js';
import type { UntakenFile } from '../../documents/common.js';
import { type Clock, isoFromMs, msFromIso } from '../../domain/clock.js';
import type { Health } from '../../domain/health/health.js';
import { verdictOf } from '../../domain/health/verdict.js';
import type { PresentState } from '../../ledger/books/state/read-state.js';
import type { SentInMinute } from '../../ledger/books/state/sent-since.js';
import type { Ledger } from '../../ledger/store/query.js';
import { openCauses } from '../open-causes.js';
import { alertWords } from '../words/alert-words.js';
import { requestsAllowed } from './estimate.js';
import { estimatesOf } from './estimates-of.js';
import { lastingOutages, reportedOutages } from './outages.js';
import { scheduledLines } from './schedule.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

/** What of the present state is in an overview: indexes tell it, but for the requests, each of which is counted. */
export const OVERVIEW_PARTS = [
  'submissions',
  'sources',
  'environments',
  'causes',
  'setAside',
  'work',
  'outages',
  'alerts',
  'listedRuns',
  'unbalancedDrops',
  'sent',
] as const;

/** What is read beside the ledger's facts. */
interface OverviewContext {
  readonly ledger: Ledger;
  readonly config: Config;
  readonly clock: Clock;
}

/** How things stand, as plain data with words beside codes. */
export async function overviewOf(
  { ledger, config, clock }: OverviewContext,
  facts: Pick<PresentState, (typeof OVERVIEW_PARTS)[number]>,
  { health, untaken }: { readonly health: Health; readonly untaken: readonly UntakenFile[] },
) {
  const { sources, setAside, work, alerts, unbalancedDrops, sent } = facts;
  const nowMs = clock.nowMs();
  const estimates = await estimatesOf({ ledger, config, clock }, Object.keys(config.environments));
  const outages = lastingOutages({ outages: reportedOutages(facts) }).filter(
    ({ environment }) => config.environments[environment],
  );
  const isUnbalanced = health.findings.some(({ part }) => part === 'books');
  const causes = openCauses(facts);
  const invalid = sources.reduce((sum, { invalidOpen }) => sum + invalidOpen, 0);
  return {
    at: isoFromMs(nowMs),
    health,
    books: { balanced: !isUnbalanced, unbalancedDrops },
    verdict: verdictOf({
      isBalanced: !isUnbalanced,
      isFailed: health.state === 'failed',
      attention: causes.submissions + invalid + setAside.length + untaken.length + health.findings.length,
      waiting: estimates.reduce((sum, { rows }) => sum + rows, 0),
      isEmpty: sources.length === 0,
    }),
    submissions: facts.submissions,
    sources,
    environments: facts.environments.map(({ environment, waitingSince, pushedBy, isDown, quota }) => {
      const settings = config.environments[environment];
      const estimate = estimates.find((one) => one.environment === environment) ?? null;
      const allowed = settings === undefined ? 0 : requestsAllowed(settings);
      return {
        environment,
        waitingSince,
        isDelivering: pushedBy !== null,
        isDown,
        ...quota,
        quota: { allowed, perMs: settings?.quota.perMs ?? MINUTE_MS },
        estimate,
      };
    }),
    sent: { hours: stretches(sent, HOUR_MS, 24, nowMs), minutes: stretches(sent, MINUTE_MS, 60, nowMs) },
    attention: { rows: causes.submissions + invalid, files: setAside.length, ...causes },
    runs: facts.listedRuns,
    outages,
    alerts: alerts.open.map((alert) => {
      const { alertId, kind, subject, code, openedAt, lastSeenAt, overAt } = alert;
      const words = alertWords(alert, { workspace: null, recoverAfterMs: config.alerts.recoverAfterMs });
      return { alertId, kind, subject, code, openedAt, lastSeenAt, overAt, ...words };
    }),
    jobs: await scheduledLines(ledger, config.schedule),
    work: {
      leases: work.leases,
      staging: work.staging,
      openDecisions: work.decisions.map(({ decisionId, kind, who, madeAt }) => ({
        decisionId,
        kind,
        who,
        madeAt,
      })),
      isRestoring: work.restoredAt !== null,
    },
  };
}

/** The requests of the last stretches of time, the present one among them; those without a request are 0. */
function stretches(
  sent: readonly SentInMinute[],
  lengthMs: number,
  count: number,
  nowMs: number,
): SentInMinute[] {
  const placeOf = (ms: number) => Math.floor(ms / lengthMs);
  const minutes = sent.map((minute) => ({ ...minute, place: placeOf(msFromIso(minute.at)) }));
  const first = placeOf(nowMs) - count + 1;
  return Array.from({ length: count }, (_, index) => {
    const here = minutes.filter(({ place }) => place === first + index);
    const sum = (of: 'requests' | 'accepted' | 'refused' | 'throttled') =>
      here.reduce((total, minute) => total + minute[of], 0);
    return {
      at: isoFromMs((first + index) * lengthMs),
      requests: sum('requests'),
      accepted: sum('accepted'),
      refused: sum('refused'),
      throttled: sum('throttled'),
    };
  });
}
