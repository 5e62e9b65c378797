import { isIP } from 'node:net';
import type { Clock } from '../../domain/clock.js';

/** Wrong passwords of the last minutes, by name and address, by name, and by address. */
export interface LogInAttempts {
  /**
   * Counts an attempt as wrong before its password is looked at, so that many at once are no way around the limits.
   * @returns why it is not looked at: how long to wait; or how it is taken back.
   */
  begin(name: string, address: string): BegunAttempt | { readonly retryAfterMs: number };
}

/** An attempt whose password is looked at. */
export interface BegunAttempt {
  /** How long to wait before that: many wrong ones came for the name, from whatever addresses. */
  readonly slowedMs: number;
  /** It was right: it doesn't count, and neither do the wrong ones before it for that name. */
  right(): void;
  /** The password was not checked: the attempt doesn't count. */
  undone(): void;
}

const WINDOW_MS = 15 * 60_000;
/** A person with five wrong passwords may wait. Counted for each address, so that a stranger elsewhere locks out no user. */
const MAX_FOR_NAME = 5;
/** After so many for a name from all addresses, each one takes longer. */
const MAX_SWIFT = 20;
const SLOWED_MS = 3_000;
/** An office behind one address has more people who mistype. */
const MAX_FROM_ADDRESS = 20;
/** Some megabytes. Who wants to fill them needs 500 addresses every quarter of an hour. */
const MAX_KEPT = 10_000;

/** Counts attempts in this process; nothing of it outlives the process. */
export function logInAttempts(clock: Clock): LogInAttempts {
  const pairs = counter(clock, MAX_FOR_NAME);
  const names = counter(clock, MAX_SWIFT);
  const addresses = counter(clock, MAX_FROM_ADDRESS);
  return {
    begin(name, from) {
      const address = networkOf(from);
      const pair = JSON.stringify([name, address]);
      const retryAfterMs = Math.max(pairs.waitMs(pair), addresses.waitMs(address));
      if (retryAfterMs > 0) return { retryAfterMs };
      const slowedMs = names.waitMs(name) > 0 ? SLOWED_MS : 0;
      const [ofPair, ofName, ofAddress] = [pairs.add(pair), names.add(name), addresses.add(address)];
      return {
        slowedMs,
        right() {
          pairs.clear(pair);
          names.clear(name);
          ofAddress.remove();
        },
        undone() {
          for (const attempt of [ofPair, ofName, ofAddress]) attempt.remove();
        },
      };
    },
  };
}

/** One household or office has as many IPv6 addresses as it likes, all with the same first half. */
function networkOf(address: string): string {
  const bare = address.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '');
  if (isIP(bare) !== 6) return bare;
  const [before = '', after] = bare.split('::');
  const groups = before === '' ? [] : before.split(':');
  const last = after === undefined || after === '' ? [] : after.split(':');
  const whole =
    after === undefined ? groups : [...groups, ...Array(8 - groups.length - last.length).fill('0'), ...last];
  return whole
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':');
}

interface Counted {
  readonly atMs: number;
}

/** The latest times for each key; the key that was added to longest ago is forgotten first. */
function counter(clock: Clock, most: number) {
  const times = new Map<string, readonly Counted[]>();
  const recent = (key: string) =>
    (times.get(key) ?? []).filter(({ atMs }) => clock.monotonicMs() - atMs < WINDOW_MS);
  const keep = (key: string, counted: readonly Counted[]) => {
    times.delete(key);
    if (counted.length > 0) times.set(key, counted);
  };
  return {
    /** 0: the next one may come. */
    waitMs(key: string): number {
      const counted = recent(key);
      const first = counted[counted.length - most];
      return first === undefined ? 0 : first.atMs + WINDOW_MS - clock.monotonicMs();
    },
    add(key: string): { remove(): void } {
      const added: Counted = { atMs: clock.monotonicMs() };
      keep(key, [...recent(key), added]);
      if (times.size > MAX_KEPT) times.delete(times.keys().next().value ?? '');
      return {
        remove() {
          keep(
            key,
            recent(key).filter((attempt) => attempt !== added),
          );
        },
      };
    },
    clear(key: string): void {
      times.delete(key);
    },
  };
}
