import type { ReportedOutage } from '../../documents/common.js';
import type { BooksDocument } from '../../documents/report.js';
import { countOf } from '../../domain/text/count-of.js';
import { visibleStrings } from '../../domain/text/visible-text.js';
import type { Outage } from '../../ledger/attempts/outages.js';
import { faultRemedy, outageReason } from '../../platform/answers/fault-words.js';
import { localTime } from '../text/local-time.js';
import { sentence } from '../text/sentence.js';

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
export function lastingOutages(report: Pick<BooksDocument, 'outages'>): readonly ReportedOutage[] {
  return report.outages.filter(({ endedAt }) => endedAt === null);
}

/** "environment main can't be used", "environment main doesn't take create-group". */
export function outageSubject({
  environment,
  operation,
}: Pick<ReportedOutage, 'environment' | 'operation'>): string {
  return operation === null
    ? `environment ${environment} can't be used`
    : `environment ${environment} doesn't accept ${operation}`;
}

/** Which environment, since when, why, how many rows wait: in sentences, with times of this machine. */
function outageText(outage: ReportedOutage): string {
  const { since, runs, reason, waiting } = visibleStrings(outage);
  const ofRuns = runs === 1 ? '' : ` (${runs} runs)`;
  const rows = countOf(waiting, 'row waits', 'rows wait');
  return `${sentence(`${outageSubject(outage)} since ${localTime(since)}${ofRuns}: ${reason}`)} ${rows} for it; nothing is lost.`;
}

export function outageLines(outage: ReportedOutage): string[] {
  return [outageText(outage), `> ${outage.remedy}`];
}
