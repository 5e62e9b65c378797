import type { AlertsConfig } from '../../config/schema/alerts-schema.js';
import type { Alert, AlertKey, Condition } from '../../domain/alerts/alert.js';
import { isoFromMs, msFromIso } from '../../domain/clock.js';
import type { FaultCode, PlacedFault } from '../../domain/environment/fault.js';
import type { Watched } from '../../ledger/alerts/watched.js';
import type { OddSize } from './drop-size.js';
import type { MissingDrop } from './expected-drop.js';

/** All that decides what people are to know about. */
export interface AlertSituation {
  readonly nowMs: number;
  readonly settings: Pick<AlertsConfig, 'attentionShare'>;
  readonly watched: Pick<Watched, 'causes' | 'shares' | 'unbalanced' | 'failing' | 'open'>;
  readonly setAside: readonly { readonly source: string; readonly code: string }[];
  readonly outages: readonly WatchedOutage[];
  readonly deliveries: readonly WatchedDelivery[];
  readonly silences: readonly Silence[];
}

/** An outage that lasts. */
export interface WatchedOutage {
  readonly environment: string;
  /** null: the whole environment. */
  readonly operation: string | null;
  readonly fault: Pick<PlacedFault, 'code' | 'host' | 'address'>;
  readonly since: string;
  /** When the platform last answered before that; null: never. */
  readonly workedUntil: string | null;
  readonly waiting: number;
}

/** What waits for an environment that has a `deliverBy`. ISO times. */
export interface WatchedDelivery {
  readonly environment: string;
  readonly rows: number;
  /** null while the environment can't be used, and where nothing waits. */
  readonly endsAt: string | null;
  /** The next `deliverBy`. */
  readonly deliverBy: string;
}

/** What is odd about the drops of a source. */
export interface Silence {
  readonly source: string;
  readonly missing: MissingDrop | null;
  readonly size: OddSize | null;
}

/** What is found, and what can't be known now: alerts about the latter stay as they are. */
export interface Found {
  readonly conditions: readonly Condition[];
  readonly unknown: readonly AlertKey[];
}

/** With fewer rows a share says little. */
const FEWEST_ROWS_OF_SHARE = 20;

/** A deadline that was missed is spoken of for so long, while rows wait. */
const MISSED_MS = 24 * 3_600_000;

/** The faults that a person with other credentials or rights mends. */
const OF_CREDENTIALS: readonly FaultCode[] = ['credentials', 'token-refused', 'scope'];

/** What people are to know about, as things stand. */
export function conditionsIn(situation: AlertSituation): Found {
  const { watched, outages } = situation;
  const late = situation.deliveries.map((delivery) => lateOf(delivery, situation));
  return {
    conditions: [
      ...watched.causes.map(
        ({ source, code, rows, state, cause }): Condition => ({
          kind: 'cause',
          subject: source,
          code,
          facts: { rows, state, cause },
        }),
      ),
      ...sharesOf(situation),
      ...setAsideOf(situation),
      ...situation.silences.flatMap(silenceOf),
      ...outages.map(
        ({ environment, operation, fault: { code, host, address }, ...facts }): Condition => ({
          kind: OF_CREDENTIALS.includes(code) ? 'credentials-refused' : 'environment-down',
          subject: environment,
          code: operation ?? '',
          facts: {
            fault: code,
            host,
            hostName: new URL(address).host,
            since: facts.since,
            workedUntil: facts.workedUntil,
            waiting: facts.waiting,
          },
        }),
      ),
      ...late.flatMap(({ condition }) => condition ?? []),
      ...(watched.unbalanced === null
        ? []
        : [{ kind: 'unbalanced', subject: 'ledger', code: '', facts: watched.unbalanced } as const]),
      ...watched.failing.map(
        ({ channel, ...facts }): Condition => ({
          kind: 'channel-failing',
          subject: channel,
          code: '',
          facts,
        }),
      ),
    ],
    unknown: late.flatMap(({ unknown }) => unknown ?? []),
  };
}

function sharesOf({ watched, settings }: AlertSituation): Condition[] {
  return watched.shares.flatMap(({ source, rows, attention }) => {
    if (rows < FEWEST_ROWS_OF_SHARE || attention * 100 <= settings.attentionShare * rows) return [];
    const percent = Math.round((attention / rows) * 100);
    return [{ kind: 'share', subject: source, code: '', facts: { rows, attention, percent } }];
  });
}

function setAsideOf({ setAside }: AlertSituation): Condition[] {
  return [...new Set(setAside.map(({ source }) => source))].map((subject) => {
    const files = setAside.filter(({ source }) => source === subject);
    const codes = [...new Set(files.map(({ code }) => code))].sort().join(', ');
    return { kind: 'set-aside', subject, code: '', facts: { files: files.length, codes } };
  });
}

function silenceOf({ source, missing, size }: Silence): Condition[] {
  const found: Condition[] = [];
  if (missing !== null) {
    const { expectedByMs, latestMs } = missing;
    const latestAt = latestMs === null ? null : isoFromMs(latestMs);
    const facts = { expectedBy: isoFromMs(expectedByMs), latestAt };
    found.push({ kind: 'drop-missing', subject: source, code: '', facts });
  }
  if (size !== null) {
    const { kind, ...facts } = size;
    found.push({ kind, subject: source, code: '', facts });
  }
  return found;
}

/**
 * What waits will end too late; or the deadline has passed, and it waits still. Nothing can be said of an environment that can't be
 * used: that is an alert of its own.
 */
function lateOf(
  { environment, rows, endsAt, deliverBy }: WatchedDelivery,
  { nowMs, watched }: AlertSituation,
): { readonly condition?: Condition; readonly unknown?: AlertKey } {
  const key = { kind: 'late', subject: environment, code: '' } as const;
  if (rows === 0) return {};
  const missed = watched.open.find(isLateOf(environment));
  const missedMs = missed === undefined ? 0 : msFromIso(missed.facts.deliverBy);
  if (missed !== undefined && missedMs <= nowMs && nowMs < missedMs + MISSED_MS) {
    return { condition: { ...key, facts: { rows, deliverBy: missed.facts.deliverBy, endsAt: null } } };
  }
  if (endsAt === null) return { unknown: key };
  return endsAt > deliverBy ? { condition: { ...key, facts: { rows, deliverBy, endsAt } } } : {};
}

function isLateOf(environment: string) {
  return (alert: Alert): alert is Alert & { kind: 'late' } =>
    alert.kind === 'late' && alert.subject === environment;
}
