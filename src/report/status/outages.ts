import { msFromIso } from '../../domain/clock.js';
import type { FaultCode } from '../../domain/environment/fault.js';
import { countOf } from '../../domain/text/count-of.js';
import { visibleStrings } from '../../domain/text/visible-text.js';
import type { Outage } from '../../ledger/attempts/outages.js';
import { faultRemedy, outageReason } from '../../platform/answers/fault-words.js';
import { localTime } from '../text/local-time.js';

/** An environment, or an operation of it, that can't be used: a cause like any other, but of no single row. */
export interface ReportedOutage {
  readonly environment: string;
  /** null: the whole environment. */
  readonly operation: string | null;
  /** ISO time of the first run that couldn't use it. */
  readonly since: string;
  /** ISO time of the latest such run, or of the run that the report is about. */
  readonly lastAt: string;
  /** null while it lasts. */
  readonly endedAt: string | null;
  /** How many runs couldn't use it. */
  readonly runs: number;
  readonly code: FaultCode;
  /** Why, with the address of the request. */
  readonly reason: string;
  readonly remedy: string;
  /** Rows that wait for the end of the outage now. */
  readonly waiting: number;
}

/** Outages with their reasons and what to do. */
export function reportedOutages({ outages }: { readonly outages: readonly Outage[] }): ReportedOutage[] {
  return outages.map(({ environment, operation, since, lastAt, endedAt, runs, fault, waiting }) => ({
    environment,
    operation,
    since,
    lastAt,
    endedAt,
    runs,
    code: fault.code,
    reason: outageReason(operation, fault),
    remedy: faultRemedy(environment, fault),
    waiting,
  }));
}

/** The outages that last: while there is one, nothing may say that all is well. */
export function lastingOutages({
  outages,
}: {
  readonly outages: readonly ReportedOutage[];
}): readonly ReportedOutage[] {
  return outages.filter(({ endedAt }) => endedAt === null);
}

/** True for an environment none of whose operations can be used now. */
export function isDown(outages: readonly ReportedOutage[], name: string): boolean {
  return outages.some((one) => one.environment === name && one.operation === null && one.endedAt === null);
}

/** "environment main can't be used", "environment main doesn't take create-group". */
export function outageSubject({
  environment,
  operation,
}: Pick<ReportedOutage, 'environment' | 'operation'>): string {
  return operation === null
    ? `environment ${environment} can't be used`
    : `environment ${environment} doesn't take ${operation}`;
}

/** Which environment, since when, why, how many rows wait: in sentences, with times of this machine. */
export function outageText(outage: ReportedOutage): string {
  const { since, runs, reason, waiting } = visibleStrings(outage);
  const subject = outageSubject(outage);
  const found = runs === 1 ? '' : ` (${runs} runs)`;
  const rows = countOf(waiting, 'row waits', 'rows wait');
  return `${subject.charAt(0).toUpperCase()}${subject.slice(1)} since ${localTime(msFromIso(since))}${found}: ${reason}. ${rows} for it; nothing is lost.`;
}
