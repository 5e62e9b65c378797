import { agreeing, countOf } from '../text/count-of.js';
import { inWords, roughlyInWords } from '../text/duration-words.js';
import type { EnvironmentFacts, OutageFacts } from './facts.js';
import { finding, type HealthCode, type HealthFinding } from './health.js';

/** A shorter pause of the quota is a part of any delivery. */
const LONG_PAUSE_MS = 5 * 60_000;

export function outageFinding(outage: OutageFacts): HealthFinding {
  const { environment, operation, since, workedUntil, waiting, reason, remedy } = outage;
  const subject =
    operation === null
      ? `Environment ${environment} can't be used`
      : `Environment ${environment} doesn't take ${operation}`;
  const rows = `${countOf(waiting, 'row')} ${agreeing(waiting, 'waits', 'wait')}, and nothing is lost`;
  return finding('environment', environment, 'failed', {
    code: outageCode(operation),
    since,
    lastGoodAt: workedUntil,
    message: `${subject}: ${reason}; ${rows}.`,
    remedy,
    exit: 'unavailable',
  });
}

/** @param operation null: of the whole environment. */
export function outageCode(operation: string | null): HealthCode {
  return operation === null ? 'outage' : `outage:${operation}`;
}

export function isOutageCode(code: string): boolean {
  return code.split(':')[0] === 'outage';
}

/** The operation of an outage's code; null: it is of the whole environment. */
export function outageOperation(code: string): string | null {
  return code.split(':')[1] ?? null;
}

/** What is wrong with the delivery to an environment that can be used. */
export function* environmentFindings(facts: EnvironmentFacts): Generator<HealthFinding> {
  const { environment, abandoned, pausedForMs, periodMs, deadline } = facts;
  if (abandoned > 0)
    yield finding('environment', environment, 'degraded', {
      code: 'rows-abandoned',
      message: `${countOf(abandoned, 'row was', 'rows were')} being sent to ${environment} when the process died.`,
      remedy: 'The next registrar run, or a service, resumes them: start one.',
    });
  if (pausedForMs >= Math.max(LONG_PAUSE_MS, 2 * periodMs))
    yield finding('quota', environment, 'degraded', {
      code: 'quota-paused',
      message: `The platform paused ${environment} for another ${inWords(pausedForMs)}.`,
      remedy: 'Delivery resumes by itself; find out what else uses the same client id.',
    });
  if (deadline === null) return;
  const { time, at, rows, isMissed, lateByMs } = deadline;
  if (isMissed) {
    const end = lateByMs === null ? '' : `, and will be delivered about ${roughlyInWords(lateByMs)} late`;
    yield finding('deadline', environment, 'failed', {
      code: 'deadline',
      since: at,
      message: `${countOf(rows, 'row')} for ${environment} missed the ${time} deadline${end}.`,
      remedy: 'See in registrar status what keeps them, and notify the people who rely on the deadline.',
    });
  } else if (lateByMs) {
    yield finding('deadline', environment, 'degraded', {
      code: 'deadline',
      message: `The backlog of ${environment} will miss the ${time} deadline by about ${roughlyInWords(lateByMs)}.`,
      remedy: 'Split the file, or ask the platform for a higher quota.',
    });
  }
}
