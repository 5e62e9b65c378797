import type { Random } from './seeded-random.js';

/** What can go wrong on purpose, and what it means. The text form of `parseFaults` uses the same names. */
export const FAULT_KINDS = {
  latency: 'the answer is held back',
  'stand-still': 'after the request nothing is read for so long, and then at once all that has come',
  'server-error': '500 or 503 in the error format',
  'bad-gateway': '502 with a web page, as a proxy sends it',
  throttle: '429 although the quota is not exceeded',
  'drop-before': 'the connection is cut before anything is written',
  'drop-after': 'the request is carried out, then the connection is cut instead of an answer',
  'tls-closed': 'the token host closes the connection before it has answered',
  html: '200 with a web page, as a sign-in wall sends it',
  'fail-after': 'the request is carried out, then the answer is 500',
  'error-in-success': '200 with `errors` in its body; nothing is carried out',
  'text-success': 'the request is carried out, and the answer is 201 with the text "Created"',
  'multi-status': '207 whose one part has failed; nothing is carried out',
  'long-detail': '400 whose detail has 100,000 letters without a blank',
  'nested-detail': '400 whose detail is a list within a list, 5,000 times',
  unauthorized: '401: the token is revoked before its time',
  forbidden: '403',
  refusal: '400 that names nothing',
} as const;

export type FaultKind = keyof typeof FAULT_KINDS;

/** From the `at`-th request on, `times` times. A request has one fault beside delays: a second one hits the next. */
export interface ScheduledFault {
  readonly kind: FaultKind;
  /** Counted from 1 (default) since the faults were set; for `tls-closed` of token requests. */
  readonly at?: number | undefined;
  /** Part of the content id or learner identifier; absent: every request. */
  readonly match?: string | undefined;
  /** Default 1. */
  readonly times?: number | undefined;
  /** For `latency` and `stand-still`. */
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

/** Kinds that may apply beside another fault. */
export const TIMED_KINDS: readonly FaultKind[] = ['latency', 'stand-still'];

/** All chance comes from `random`, so that the same seed and requests meet the same faults. */
export function createFaultSource(
  { schedule: scheduled = [], rates = {}, latencyMs = 0 }: Faults,
  random: Random,
) {
  const schedule = scheduled.map((fault) => ({ fault, left: fault.times ?? 1 }));
  const requests = { resource: 0, token: 0 };

  /** The scheduled faults for this request, each with one use less: any timed faults and at most one other. */
  function takeScheduled(fits: (fault: ScheduledFault) => boolean): ScheduledFault[] {
    const taken: ScheduledFault[] = [];
    for (const entry of schedule) {
      if (entry.left <= 0 || !fits(entry.fault)) continue;
      if (!isTimed(entry.fault) && taken.some((fault) => !isTimed(fault))) continue;
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
    const sumOf = (kind: FaultKind) =>
      taken.reduce((sum, fault) => sum + (fault.kind === kind ? (fault.ms ?? 0) : 0), 0);
    const drawn = drawByRate(rates, applies, random);
    return {
      delayMs: latencyMs + sumOf('latency'),
      /** How long the platform reads nothing from now on; 0: it goes on reading. */
      stillMs: sumOf('stand-still'),
      /** null: only the delay. */
      fault: taken.find((fault) => !isTimed(fault)) ?? drawn,
    };
  };
}

function isTimed({ kind }: ScheduledFault): boolean {
  return TIMED_KINDS.includes(kind);
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
