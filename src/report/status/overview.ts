import type { Config } from '../../config/schema.js';
import type { UnmatchedFile } from '../../documents/common.js';
import { type Clock, isoFromMs, msFromIso } from '../../domain/clock.js';
import type { Health } from '../../domain/health/health.js';
import { verdictOf } from '../../domain/health/verdict.js';
import type { PresentState } from '../../ledger/books/state/read-state.js';
import type { SentInMinute } from '../../ledger/books/state/watched.js';
import type { Ledger } from '../../ledger/store/query.js';
import { openCauses } from '../open-causes.js';
import { alertWords } from '../words/alert-words.js';
import { requestsAllowed } from './estimate.js';
import { estimatesOf } from './estimates-of.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

/** What of the present state is in an overview: it is read from indexes, but for the requests, each of which is counted. */
export const OVERVIEW_PARTS = [
  ...['sources', 'environments', 'causes', 'refusedFiles', 'work', 'alerts', 'runs'],
  ...['unbalancedDrops', 'sent'],
] as const;

/** The status, as plain data with words beside codes. */
export async function overviewOf(
  context: { readonly ledger: Ledger; readonly config: Config; readonly clock: Clock },
  facts: Pick<PresentState, (typeof OVERVIEW_PARTS)[number]>,
  { health, unmatched }: { readonly health: Health; readonly unmatched: readonly UnmatchedFile[] },
) {
  const { environments, alerts } = context.config;
  const { sources, refusedFiles, work, unbalancedDrops, sent } = facts;
  const nowMs = context.clock.nowMs();
  const estimates = await estimatesOf(context, Object.keys(environments));
  const isBalanced = health.findings.every(({ part }) => part !== 'books');
  const causes = openCauses(facts);
  const rows = sources.reduce((sum, { invalidOpen }) => sum + invalidOpen, causes.submissions);
  return {
    at: isoFromMs(nowMs),
    health,
    books: { balanced: isBalanced, unbalancedDrops },
    verdict: verdictOf({
      isBalanced,
      isFailed: health.state === 'failed',
      attention: rows + refusedFiles.length + unmatched.length + health.findings.length,
      waiting: estimates.reduce((sum, estimate) => sum + estimate.rows, 0),
      isEmpty: sources.length === 0,
    }),
    environments: facts.environments.map(({ environment, pushedBy, isDown, quota }) => {
      const settings = environments[environment];
      const allowed = settings === undefined ? 0 : requestsAllowed(settings);
      return {
        environment,
        isDelivering: pushedBy !== null,
        isDown,
        ...quota,
        quota: { allowed, perMs: settings?.quota.perMs ?? MINUTE_MS },
        estimate: estimates.find((one) => one.environment === environment) ?? null,
      };
    }),
    sent: { hours: stretches(sent, HOUR_MS, 24, nowMs), minutes: stretches(sent, MINUTE_MS, 60, nowMs) },
    attention: { rows, files: refusedFiles.length, ...causes },
    runs: facts.runs,
    alerts: facts.alerts.open.map((alert) => {
      const { kind, openedAt, overAt, muted } = alert;
      const { title, text } = alertWords(alert, { workspace: null, recoverAfterMs: alerts.recoverAfterMs });
      return { kind, openedAt, overAt, isMuted: muted !== null, title, text };
    }),
    work: {
      isImporting: work.staging.length > 0,
      openDecisions: work.decisions.length,
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
