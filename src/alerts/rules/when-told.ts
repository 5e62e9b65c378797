import type { AlertsConfig, ChannelConfig, QuietHours } from '../../config/schema/alerts-schema.js';
import { ALERT_KINDS, type AlertKind } from '../../domain/alerts/alert.js';

/** When a channel tells. */
export interface WhenTold {
  /** For each kind that the channel tells: when a telling that is made now is due, in milliseconds since 1970. */
  readonly dueMs: Readonly<Partial<Record<AlertKind, number>>>;
  /** Kinds that quiet hours hold back now, whenever their tellings were made. */
  readonly heldBack: readonly AlertKind[];
}

/**
 * When a channel tells what is found now: at once, with the next digest, or when its quiet hours end. A digest that falls into
 * quiet hours waits for their end.
 */
export async function whenTold(
  alerts: Pick<AlertsConfig, 'timeZone' | 'quietHours' | 'digest' | 'urgent'>,
  channel: Pick<ChannelConfig, 'only' | 'quietHours' | 'digest'>,
  nowMs: number,
): Promise<WhenTold> {
  const quiet = setFor(channel.quietHours, alerts.quietHours);
  const digest = setFor(channel.digest, alerts.digest);
  const kinds = ALERT_KINDS.filter((kind) => channel.only.length === 0 || channel.only.includes(kind));
  const next = await nextIn(quiet === null && digest === null ? null : (alerts.timeZone ?? 'UTC'));
  const isUrgent = (kind: AlertKind) => alerts.urgent.includes(kind);
  const isQuietFor = (kind: AlertKind) => quiet !== null && (quiet.urgent === 'wait' || !isUrgent(kind));
  const dueOf = (kind: AlertKind) => {
    const madeMs = digest === null || isUrgent(kind) ? nowMs : next(digest, nowMs);
    return (quiet !== null && isQuietFor(kind) ? quietUntil(quiet, next, madeMs) : null) ?? madeMs;
  };
  const isQuiet = quiet !== null && quietUntil(quiet, next, nowMs) !== null;
  return {
    dueMs: Object.fromEntries(kinds.map((kind) => [kind, dueOf(kind)])),
    heldBack: isQuiet ? kinds.filter(isQuietFor) : [],
  };
}

/** The next moment at which clocks show a time of day. */
type Next = (time: string, nowMs: number) => number;

/** @param zone null: no time of day is asked for. */
async function nextIn(zone: string | null): Promise<Next> {
  if (zone === null) return (_, nowMs) => nowMs;
  // Loading what knows zones takes as long as a run that finds nothing to do.
  const { nextTimeOfDay } = await import('../../normalise/time/zone/next-time-of-day.js');
  return (time, nowMs) => nextTimeOfDay(time, zone, nowMs);
}

/** When the quiet hours end in which a moment lies; null: it lies in none. Within them their end comes before their beginning. */
function quietUntil({ from, to }: QuietHours, next: Next, ms: number): number | null {
  const endsMs = next(to, ms);
  return endsMs < next(from, ms) ? endsMs : null;
}

/** What a channel says for itself, else what is said for all; null: none. */
function setFor<T>(own: T | 'none' | undefined, all: T | undefined): T | null {
  return own === 'none' ? null : (own ?? all ?? null);
}
