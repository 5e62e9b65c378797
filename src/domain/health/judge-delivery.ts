import { agreeing, countOf } from '../text/count-of.js';
import { inWords, roughlyInWords } from '../text/duration-words.js';
import { finding, type HealthFinding, outageCode } from './health.js';

/** A shorter pause of the quota is a part of any delivery. */
const LONG_PAUSE_MS = 5 * 60_000;

interface Outage {
  readonly environment: string;
  /** null: the whole environment. */
  readonly operation: string | null;
  readonly since: string;
  /** When a request was last answered well before it; null: never. */
  readonly workedUntil: string | null;
  readonly waiting: number;
}

/** @param reason the end of a sentence. */
export function outageFinding(outage: Outage, reason: string, remedy: string): HealthFinding {
  const { environment, operation, since, workedUntil, waiting } = outage;
  const subject =
    operation === null
      ? `Environment ${environment} can't be used`
      : `Environment ${environment} doesn't accept ${operation}`;
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

interface EnvironmentFacts {
  /** Rows that were being sent when their process died. */
  readonly abandoned: number;
  readonly pausedForMs: number;
  readonly periodMs: number;
  /** Rows that were due by the missed deadline. */
  readonly due: number;
  /** `lateByMs`: estimated; 0: in time; null: unknown. */
  readonly deliverBy: {
    readonly time: string;
    readonly at: string;
    readonly isMissed: boolean;
    readonly lateByMs: number | null;
  } | null;
}

/** What is wrong with the delivery to an environment that can be used. */
export function* environmentFindings(
  environment: string,
  { abandoned, pausedForMs, periodMs, due, deliverBy }: EnvironmentFacts,
): Generator<HealthFinding> {
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
  if (deliverBy === null) return;
  const { time, at, isMissed, lateByMs } = deliverBy;
  if (isMissed) {
    const end = lateByMs === null ? '' : `, and will be delivered about ${roughlyInWords(lateByMs)} late`;
    yield finding('deadline', environment, 'failed', {
      code: 'deadline',
      since: at,
      message: `${countOf(due, 'row')} for ${environment} missed the ${time} deadline${end}.`,
      remedy: 'See registrar status for what delays them, and notify the people who rely on the deadline.',
    });
  } else if (lateByMs) {
    yield finding('deadline', environment, 'degraded', {
      code: 'deadline',
      message: `The backlog of ${environment} will miss the ${time} deadline by about ${roughlyInWords(lateByMs)}.`,
      remedy: 'Split the file, or ask the platform for a higher quota.',
    });
  }
}

/** Rows wait for an environment that registrar.yaml doesn't have any more. */
export function strandedFinding(environment: string, rows: number): HealthFinding {
  return finding('environment', environment, 'failed', {
    code: 'environment-missing',
    message: `${countOf(rows, 'row is', 'rows are')} waiting for environment ${environment}, which registrar.yaml doesn't have.`,
    remedy: 'Restore the environment: its name is part of what was staged.',
  });
}
