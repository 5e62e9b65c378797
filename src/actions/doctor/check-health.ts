import type { Health, HealthFinding } from '../../domain/health/health.js';
import { type Finding, findings } from './finding.js';

const health = findings('health', 'attention');

/**
 * What health found. There an environment is judged by its last run, which doctor itself checks again; deadlines and the like
 * are nothing that doctor can't work with: they need attention, and don't make it fail.
 */
export function* checkHealth({ findings: found }: Pick<Health, 'findings'>): Generator<Finding> {
  for (const finding of found) {
    const { state, message, remedy, exit } = finding;
    const subject = subjectOf(finding);
    const isBroken = state === 'failed' && BROKEN_PARTS.includes(finding.part);
    yield isBroken
      ? health.broken(subject, message, remedy, exit)
      : health.attention(subject, message, remedy);
  }
  if (found.length === 0) yield health.ok('all', 'healthy');
}

const BROKEN_PARTS: readonly HealthFinding['part'][] = ['books', 'inbox', 'backup'];

function subjectOf({ part, subject }: HealthFinding): string {
  return subject === 'registrar' ? part : `${part} ${subject}`;
}
