import type { Config } from '../../config/schema.js';
import type { UnmatchedFile } from '../../documents/common.js';
import { type Clock, isoFromMs } from '../../domain/clock.js';
import { type Bucket, NO_REQUESTS } from '../../domain/environment/timeline.js';
import { totals } from '../../domain/grouped.js';
import type { Health } from '../../domain/health/health.js';
import { verdictOf } from '../../domain/health/verdict.js';
import { DISPOSITIONS } from '../../domain/row.js';
import { STATES } from '../../domain/submission.js';
import { type PresentState, readState } from '../../ledger/books/state/read-state.js';
import type { Ledger } from '../../ledger/store/query.js';
import { openCauses } from '../open-causes.js';
import type { Sums } from '../sections/totals.js';
import { withEstimates } from './delivery-estimate.js';
import { environmentsOf } from './status.js';

const HOUR_MS = 3_600_000;

/** What of the present state is in an overview: it is read from indexes, but for the requests, each of which is counted. */
const PARTS = [
  ...['sources', 'environments', 'causes', 'refusedFiles', 'work', 'alerts', 'runs'],
  ...['unbalancedDrops', 'sent', 'submissions'],
] as const;

/** The state of the work on one page, as plain data with words beside codes, and the requests of the last day. */
export async function overviewOf(
  context: { readonly ledger: Ledger; readonly config: Config; readonly clock: Clock },
  { health, unmatched }: { readonly health: Health; readonly unmatched: readonly UnmatchedFile[] },
) {
  const { ledger, config, clock } = context;
  const nowMs = clock.nowMs();
  const facts = await readState(ledger, PARTS, {
    environments: environmentsOf(config),
    since: isoFromMs(nowMs - 24 * HOUR_MS),
  });
  const { sources, refusedFiles, work, unbalancedDrops, sent } = facts;
  const environments = await withEstimates(context, facts.environments);
  const causes = openCauses(facts);
  const rows = sources.reduce((sum, { invalidOpen }) => sum + invalidOpen, causes.submissions);
  return {
    at: isoFromMs(nowMs),
    health,
    unmatched,
    unbalancedDrops,
    verdict: verdictOf({
      isBalanced: health.findings.every(({ part }) => part !== 'books'),
      isFailed: health.state === 'failed',
      attention: rows + refusedFiles.length + unmatched.length + health.findings.length,
      waiting: environments.reduce((sum, { estimate }) => sum + estimate.rows, 0),
      isEmpty: sources.length === 0,
    }),
    environments,
    timeline: sent.length === 0 ? null : { bucketMs: HOUR_MS, buckets: lastHours(sent, nowMs) },
    sums: rowsOf(facts, rows),
    attention: { rows, files: refusedFiles.length, ...causes },
    runs: facts.runs,
    alerts: {
      open: facts.alerts.open.length,
      muted: facts.alerts.open.filter(({ muted }) => muted !== null).length,
    },
    work: {
      isImporting: work.staging.length > 0,
      openDecisions: work.decisions.length,
      isRestoring: work.restoredAt !== null,
    },
  };
}

function rowsOf(
  { sources, submissions }: Pick<PresentState, 'sources' | 'submissions'>,
  attentionRows: number,
): Sums {
  const dispositions = totals(
    DISPOSITIONS,
    sources.map((source) => source.dispositions),
  );
  const states = totals(
    STATES,
    submissions.map(({ state, count }) => ({ [state]: count })),
  );
  const rows = DISPOSITIONS.reduce((sum, name) => sum + dispositions[name], 0);
  return { rows, dispositions, states, attentionRows };
}

/** The last 24 hours, the present one among them; those without a request are 0. */
function lastHours(sent: PresentState['sent'], nowMs: number): readonly Bucket[] {
  const first = Math.floor(nowMs / HOUR_MS) - 23;
  return Array.from({ length: 24 }, (_, index) => {
    const from = isoFromMs((first + index) * HOUR_MS);
    const { at: _at, ...counts } = sent.find(({ at }) => at === from) ?? { at: from, ...NO_REQUESTS };
    return { ...counts, from };
  });
}
