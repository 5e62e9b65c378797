import { errorsOf, type OperatorError } from '../domain/operator-error.js';
import type { Random } from './seeded-random.js';

/** What can go wrong on purpose, and what it means. `parseFaults` takes the same names. */
export const FAULT_KINDS = {
  latency: 'the answer is held back',
  'server-error': '500 or 503 in the error format',
  'bad-gateway': '502 with a web page, as a proxy sends it',
  throttle: '429 although the quota is not exceeded',
  'drop-before': 'the connection is cut before anything is written',
  'drop-after': 'the request is carried out, then the connection is cut instead of an answer',
  'tls-closed': 'the token host closes the connection before it has answered',
  html: '200 with a web page, as a sign-in wall sends it',
  unauthorized: '401: the token is revoked before its time',
  forbidden: '403',
  refusal: '400 that names nothing',
} as const;

export type FaultKind = keyof typeof FAULT_KINDS;

/** From the `at`-th request on, `times` times. A request has one fault beside a delay: a second one hits the next. */
export interface ScheduledFault {
  readonly kind: FaultKind;
  /** Counted from 1 (default) since the faults were set; for `tls-closed` of token requests. */
  readonly at?: number | undefined;
  /** Part of the content id or learner identifier; absent: every request. */
  readonly match?: string | undefined;
  /** Default 1. */
  readonly times?: number | undefined;
  /** For `latency`. */
  readonly ms?: number | undefined;
  /** For `server-error`: default 500. */
  readonly status?: 500 | 503 | undefined;
  /** For `server-error` and `throttle`; absent: no Retry-After on an error, 1 on a 429. */
  readonly retryAfterS?: number | undefined;
  /** For `server-error` and `bad-gateway`: the request is carried out first. Default false. */
  readonly written?: boolean | undefined;
}

export interface Faults {
  /** Every resource answer is held back for this long. */
  readonly latencyMs?: number | undefined;
  /** Probability per resource request (`tls-closed`: per token request), 0 to 1; together at most 1. */
  readonly rates?: Readonly<Partial<Record<FaultKind, number>>> | undefined;
  /** Scheduled faults come before the rates. */
  readonly schedule?: readonly ScheduledFault[] | undefined;
}

/**
 * Reads faults, with commas between: `latency=50` holds every answer back 50 ms, `server-error=0.02` hits one request in
 * fifty, `drop-after@30` the 30th resource request, `throttle@10x2` the 10th and the one after, `latency=3000@5` the
 * fifth alone. Throws OperatorError that lists the known kinds for any other text.
 */
export function parseFaults(text: string): Faults {
  let latencyMs: number | undefined;
  const rates: Partial<Record<FaultKind, number>> = {};
  const schedule: ScheduledFault[] = [];

  for (const part of text.split(',').map((one) => one.trim())) {
    if (part === '') continue;
    const [, kind, value, at, times = '1'] = FAULT.exec(part) ?? [];
    if (!isFaultKind(kind)) throw unreadable(part);
    const isDelay = kind === 'latency';
    const amount = Number(value);
    if (at !== undefined && isDelay === (value !== undefined)) {
      const fault = { kind, at: Number(at), times: Number(times) };
      schedule.push(isDelay ? { ...fault, ms: amount } : fault);
    } else if (at === undefined && isDelay && value !== undefined) {
      latencyMs = amount;
    } else if (at === undefined && !isDelay && amount <= 1) {
      rates[kind] = amount;
    } else {
      throw unreadable(part);
    }
  }
  const ofRequests = Object.entries(rates).filter(([kind]) => kind !== 'tls-closed');
  // Sums of decimal fractions come out a hair above 1.
  if (ofRequests.reduce((sum, [, rate]) => sum + rate, 0) > 1 + 1e-9) throw unreadable(text);
  return { ...(latencyMs === undefined ? {} : { latencyMs }), rates, schedule };
}

const FAULT = /^([a-z-]+)(?:=(\d+(?:\.\d+)?))?(?:@([1-9]\d*)(?:x([1-9]\d*))?)?$/;

function isFaultKind(name: unknown): name is FaultKind {
  return typeof name === 'string' && Object.hasOwn(FAULT_KINDS, name);
}

function unreadable(part: string): OperatorError {
  const hint = `Known kinds: ${Object.keys(FAULT_KINDS).join(', ')}. Write latency=50, server-error=0.02 (probabilities add up to at most 1), latency=3000@5, drop-after@30 or throttle@10x2.`;
  return errorsOf('read the faults of the sandbox')(part, `the fault "${part}" can't be read`, hint);
}

/** All chance comes from `random`, so that the same seed and requests meet the same faults. */
export function createFaultSource(
  { schedule: scheduled = [], rates = {}, latencyMs = 0 }: Faults,
  random: Random,
) {
  const schedule = scheduled.map((fault) => ({ fault, left: fault.times ?? 1 }));
  const requests = { resource: 0, token: 0 };

  /** The scheduled faults for this request, each with one use less: any delays and at most one other. */
  function takeScheduled(fits: (fault: ScheduledFault) => boolean): ScheduledFault[] {
    const taken: ScheduledFault[] = [];
    for (const entry of schedule) {
      if (entry.left <= 0 || !fits(entry.fault)) continue;
      if (!isDelay(entry.fault) && taken.some((fault) => !isDelay(fault))) continue;
      entry.left -= 1;
      taken.push(entry.fault);
    }
    return taken;
  }

  /** @param subjects the texts in which a scheduled fault's `match` is searched. */
  return (endpoint: 'resource' | 'token', subjects: readonly string[] = []) => {
    requests[endpoint] += 1;
    const applies = (kind: FaultKind) => (kind === 'tls-closed') === (endpoint === 'token');
    const taken = takeScheduled(
      ({ kind, at = 1, match }) =>
        applies(kind) &&
        requests[endpoint] >= at &&
        (match === undefined || subjects.some((subject) => subject.includes(match))),
    );
    const drawn = drawByRate(rates, applies, random);
    return {
      delayMs: taken.reduce((sum, fault) => sum + (isDelay(fault) ? (fault.ms ?? 0) : 0), latencyMs),
      /** null: only the delay. */
      fault: taken.find((fault) => !isDelay(fault)) ?? drawn,
    };
  };
}

function isDelay({ kind }: ScheduledFault): boolean {
  return kind === 'latency';
}

function drawByRate(
  rates: NonNullable<Faults['rates']>,
  applies: (kind: FaultKind) => boolean,
  random: Random,
): ScheduledFault | null {
  const kinds = (Object.keys(rates) as FaultKind[]).filter(applies);
  if (kinds.length === 0) return null;
  const drawn = random();
  let below = 0;
  for (const kind of kinds) {
    below += rates[kind] ?? 0;
    if (drawn < below)
      return kind === 'server-error' || kind === 'bad-gateway' ? varied(kind, random) : { kind };
  }
  return null;
}

/** Server errors by rate come in all their forms: before and after the write, with and without Retry-After. */
function varied(kind: FaultKind, random: Random): ScheduledFault {
  const written = random() < 0.5;
  if (kind === 'bad-gateway') return { kind, written };
  if (random() < 0.5) return { kind, written, status: 500 };
  return { kind, written, status: 503, retryAfterS: random() < 0.5 ? 1 : undefined };
}
