import type { Fault } from './facts.js';
import type { HealthFinding, HealthSubject } from './health.js';

type FindingWords = Fault &
  Pick<HealthFinding, 'exit'> &
  Partial<Pick<HealthFinding, 'since' | 'lastGoodAt'>>;

/** A finding about a subject; what isn't given of it is unknown. */
export function finding(
  part: HealthSubject['part'],
  subject: string,
  state: HealthFinding['state'],
  { since = null, lastGoodAt = null, ...words }: FindingWords,
): HealthFinding {
  return { part, subject, state, since, lastGoodAt, ...words };
}
