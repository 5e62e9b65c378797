import { type Clock, msFromIso } from '../../domain/clock.js';
import type { Http } from '../../platform/http.js';
import { type Finding, findings } from './finding.js';

const clockFinding = findings('clock', 'io');

/** An answer's `Date` header, with the time of this machine's clock around the request. */
export interface DatedAnswer {
  /** The header; null where the answer has none. */
  readonly date: string | null;
  /** When the request was begun and when its answer was there, in milliseconds since 1970. */
  readonly sentMs: number;
  readonly receivedMs: number;
}

/** The same connections, and a function that returns the date of their last answer; null before the first answer. */
export function datedHttp(http: Http, clock: Clock): { http: Http; lastAnswer(): DatedAnswer | null } {
  let last: DatedAnswer | null = null;
  return {
    lastAnswer: () => last,
    http: {
      close: () => http.close(),
      async exchange(request, bounds) {
        const sentMs = clock.nowMs();
        const result = await http.exchange(request, bounds);
        if (result.response !== null) {
          last = { date: result.response.headers.date ?? null, sentMs, receivedMs: clock.nowMs() };
        }
        return result;
      },
    },
  };
}

/** Clocks that are set by the network differ by less than a second. */
const ATTENTION_S = 30;
/** A clock that far off isn't set by anybody. */
const BROKEN_S = 300;

/** Whether this machine's clock agrees with the token host's, as far as an answer shows. */
export function compareClocks(environment: string, { date, sentMs, receivedMs }: DatedAnswer): Finding {
  const theirMs = msFromHttpDate(date);
  if (theirMs === null) {
    const why = date === null ? 'no date' : 'a Date header that is no date';
    return clockFinding.ok(environment, `can't be compared with this machine: the token host sends ${why}`);
  }
  const apartS = Math.trunc(leastApartMs(theirMs, sentMs, receivedMs) / 1_000);
  if (Math.abs(apartS) <= ATTENTION_S) return clockFinding.ok(environment, 'agrees with this machine');
  const found = Math.abs(apartS) > BROKEN_S ? clockFinding.broken : clockFinding.attention;
  const [direction, harm] = apartS > 0 ? AHEAD : BEHIND;
  const message = `this machine is ${lengthOf(Math.abs(apartS))} ${direction} the token host: ${harm}`;
  return found(
    environment,
    message,
    'Set the clock: timedatectl set-ntp true (for a container, on its host).',
  );
}

function lengthOf(seconds: number): string {
  if (seconds < 2 * HOUR_S) return `${seconds} s`;
  if (seconds < 2 * DAY_S) return `${Math.floor(seconds / HOUR_S)} hours`;
  return `${Math.floor(seconds / DAY_S)} days`;
}

const HOUR_S = 3_600;
const DAY_S = 86_400;

const AHEAD = [
  'ahead of',
  'times that lie in the future may be taken, the schedule starts early, and certificates may count as expired',
] as const;

const BEHIND = [
  'behind',
  'what was just completed may be refused as lying in the future, the schedule starts late, and new certificates may not count yet',
] as const;

/** How much this clock is ahead at least, whenever during the request and its second the date was written; negative: behind. */
function leastApartMs(theirMs: number, sentMs: number, receivedMs: number): number {
  const aheadMs = sentMs - (theirMs + 999);
  if (aheadMs > 0) return aheadMs;
  return Math.min(receivedMs - theirMs, 0);
}

/** The one form of a date that servers may send, `Tue, 02 Mar 2027 10:30:00 GMT`; null for any other text. */
function msFromHttpDate(text: string | null): number | null {
  if (text === null || !/^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(text))
    return null;
  const ms = msFromIso(text);
  return Number.isNaN(ms) ? null : ms;
}
