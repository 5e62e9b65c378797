import type { Config } from '../../config/schema.js';
import type { UnmatchedFile } from '../../documents/common.js';
import { type Clock, isoFromMs } from '../../domain/clock.js';
import type { Bucket, Sent } from '../../domain/environment/timeline.js';
import type { Health } from '../../domain/health/health.js';
import { verdictOf } from '../../domain/health/verdict.js';
import { DISPOSITIONS } from '../../domain/row.js';
import { STATES } from '../../domain/submission.js';
import type { PresentState } from '../../ledger/books/state/read-state.js';
import type { SentInHour } from '../../ledger/books/state/watched.js';
import type { Ledger } from '../../ledger/store/query.js';
import { openCauses } from '../open-causes.js';
import type { Sums } from '../sections/totals.js';
import { alertWords } from '../words/alert-words.js';
import { requestsAllowed } from './estimate.js';
import { estimatesOf } from './estimates-of.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

/** What of the present state is in an overview: it is read from indexes, but for the requests, each of which is counted. */
export const OVERVIEW_PARTS = [
  ...['sources', 'environments', 'causes', 'refusedFiles', 'work', 'alerts', 'runs'],
  ...['unbalancedDrops', 'sent', 'submissions'],
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
    timeline: sent.length === 0 ? null : { bucketMs: HOUR_MS, buckets: lastHours(sent, nowMs) },
    sums: rowsOf(facts, rows),
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

/** The rows of all files by result, and their submissions by state. */
function rowsOf(
  { sources, submissions }: Pick<PresentState, 'sources' | 'submissions'>,
  attentionRows: number,
): Sums {
  const dispositions = byName(DISPOSITIONS, (name) =>
    sources.reduce((sum, source) => sum + source.dispositions[name], 0),
  );
  const states = byName(STATES, (name) =>
    submissions.reduce((sum, { state, count }) => sum + (state === name ? count : 0), 0),
  );
  const rows = DISPOSITIONS.reduce((sum, name) => sum + dispositions[name], 0);
  return { rows, dispositions, states, attentionRows };
}

function byName<Name extends string>(
  names: readonly Name[],
  of: (name: Name) => number,
): Record<Name, number> {
  return Object.fromEntries(names.map((name) => [name, of(name)])) as Record<Name, number>;
}

/** The last 24 hours, the present one among them; those without a request are 0. */
function lastHours(sent: readonly SentInHour[], nowMs: number): readonly Bucket[] {
  const first = Math.floor(nowMs / HOUR_MS) - 23;
  return Array.from({ length: 24 }, (_, index) => {
    const from = isoFromMs((first + index) * HOUR_MS);
    return { ...NONE, ...sent.find((hour) => hour.from === from), from };
  });
}

const NONE: Sent = { sent: 0, accepted: 0, refused: 0, throttled: 0, failed: 0, open: 0 };
