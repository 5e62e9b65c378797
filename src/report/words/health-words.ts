import type { Health, HealthFinding } from '../../domain/health/health.js';
import { localTime } from '../text/local-time.js';

/** Since when a finding is true, and until when all was well, in sentences; '' where neither is known. */
export function sinceText({ since, lastGoodAt }: Pick<HealthFinding, 'since' | 'lastGoodAt'>): string {
  return [
    ...(since === null ? [] : [`Since ${localTime(since)}.`]),
    ...(lastGoodAt === null ? [] : [`It last worked at ${localTime(lastGoodAt)}.`]),
  ].join(' ');
}

/** A finding in sentences: what is wrong, since when, what to do. */
export function findingText(finding: HealthFinding): string {
  return [finding.message, sinceText(finding), finding.remedy].filter((text) => text !== '').join(' ');
}

/** All findings, a line each; says that all is well where there are none. */
export function healthText({ findings }: Health): string {
  if (findings.length === 0) return 'Healthy.\n';
  return findings.map((finding) => `${finding.state}: ${findingText(finding)}\n`).join('');
}
