import { isoFromMs } from '../../domain/clock.js';
import { firstInTurn } from '../../domain/process/in-turn.js';
import type { RunEnd } from '../../domain/process/run.js';
import { first, type Ledger, query } from '../store/query.js';
import { serviceStartedAt } from './jobs.js';
import { leaseHolder } from './leases.js';

/** The facts that show whether work gets done. */
export interface Liveness {
  /**
   * The time from which a run is expected: the end of the last run that went through without a person, or the service's start
   * where that is later.
   */
  readonly since: string;
  /** How the latest run ended; null when none has. */
  readonly latestEnd: RunEnd | null;
  /** Some process stages or delivers now. */
  readonly isAtWork: boolean;
}

/** Ends of runs that got through: runs that broke off, died or were stopped did not. */
const THROUGH: readonly RunEnd[] = ['done', 'attention', 'unavailable', 'unbalanced'];

/** @param environments names of those that may be pushed to. */
export async function livenessOf(ledger: Ledger, environments: readonly string[]): Promise<Liveness> {
  const ledgerMade = await first(ledger, query.selectFrom('ledger').select('created_at as at'));
  const ended = query.selectFrom('run').where('ended_at', 'is not', null).orderBy('run_id', 'desc').limit(1);
  const through = await first(
    ledger,
    ended.select('ended_at as at').where('ending', 'in', THROUGH).where('trigger', '=', 'cron'),
  );
  const times = [ledgerMade?.at, await serviceStartedAt(ledger), through?.at].filter(
    (at) => typeof at === 'string',
  );
  const leases = ['stage', ...environments.map((name) => `push:${name}` as const)] as const;
  return {
    since: times.sort().at(-1) ?? isoFromMs(ledger.clock.nowMs()),
    latestEnd: (await first(ledger, ended.select('ending as end')))?.end ?? null,
    isAtWork:
      (await firstInTurn(leases, async (name) => (await leaseHolder(ledger, name)) !== null)) !== undefined,
  };
}
