import type { EnvironmentConfig } from '../config/schema.js';
import { isoFromMs, msFromIso } from '../domain/clock.js';
import { agreeing, countOf } from '../domain/count-of.js';
import { countWaiting, waitingEnvironments } from '../ledger/claims.js';
import { type Holder, leaseHolder } from '../ledger/leases.js';
import type { Ledger } from '../ledger/query.js';
import { isRerun } from '../ledger/runs.js';
import { estimatedMs, inWords } from './estimate.js';
import { localTime } from './local-time.js';
import { isDown, type ReportedOutage } from './outages.js';

/** What waits for one environment, whichever run staged it, how long that takes, and who is at it. */
export interface Queue {
  readonly environment: string;
  readonly waiting: number;
  /** What delivering takes at its quota; null for an environment that registrar.yaml doesn't have. */
  readonly estimatedMs: number | null;
  /** ISO time at which it would end if it began now; null where nothing waits, and while it can't be used. */
  readonly estimatedEnd: string | null;
  /** null: nobody delivers now. `takesAll`: false for a rerun, which delivers its own rows alone. */
  readonly pushedBy: (Holder & { readonly takesAll: boolean }) | null;
}

/** The queue of one environment. */
export function queueOf(
  ledger: Ledger,
  environment: string,
  config: EnvironmentConfig | undefined,
  outages: readonly ReportedOutage[],
): Queue {
  const waiting = countWaiting(ledger, environment);
  const lasts = config === undefined ? null : estimatedMs(waiting, config);
  const isOpen = waiting === 0 || lasts === null || isDown(outages, environment);
  const holder = leaseHolder(ledger, `push:${environment}`);
  return {
    environment,
    waiting,
    estimatedMs: lasts,
    estimatedEnd: isOpen ? null : isoFromMs(ledger.clock.nowMs() + lasts),
    pushedBy: holder === null ? null : { ...holder, takesAll: !isRerun(ledger, holder.runId) },
  };
}

/** The queues in which anything waits. */
export function queuesOf(
  ledger: Ledger,
  environments: Readonly<Record<string, EnvironmentConfig>>,
  outages: readonly ReportedOutage[],
): Queue[] {
  return waitingEnvironments(ledger)
    .map((name) => queueOf(ledger, name, environments[name], outages))
    .filter(({ waiting }) => waiting > 0);
}

/** Who delivers what waits, and when, in a sentence or two. */
export function queueWords({ environment, waiting, estimatedMs: ms, estimatedEnd, pushedBy }: Queue): string {
  const rows = `${countOf(waiting, 'row')} ${agreeing(waiting, 'waits', 'wait')} for ${environment}`;
  const them = agreeing(waiting, 'it', 'them');
  if (ms === null) return `${rows}, which registrar.yaml doesn't have: put the environment back.`;
  if (estimatedEnd === null) {
    return `${rows}: ${inWords(ms)} of delivering once it can be used; the first run that can use it delivers ${them}.`;
  }
  const until = localTime(msFromIso(estimatedEnd));
  if (pushedBy?.takesAll)
    return `${rows}: process ${pushedBy.pid} delivers ${them}, until ${until} or so (${inWords(ms)}).`;
  const now = pushedBy === null ? 'Nobody delivers now' : `Process ${pushedBy.pid} delivers a rerun alone`;
  return `${rows}: ${inWords(ms)} of delivering, until ${until} if it begins now. ${now}; the next registrar run delivers ${them}.`;
}
