import { isIP } from 'node:net';
import type { Clock } from '../../domain/clock.js';

const WINDOW_MS = 15 * 60_000;
/** After five wrong passwords a person waits. Counted per address, so that an attacker elsewhere can't lock a user out. */
const MAX_FOR_NAME = 5;
/** After this many for one name, from all addresses together, each further attempt is slowed down. */
const MAX_SWIFT = 20;
const SLOWED_MS = 3_000;
/** An office behind one address has more people who mistype. */
const MAX_FROM_ADDRESS = 20;
/** A few megabytes. Filling them takes 500 addresses every quarter of an hour. */
const MAX_KEPT = 10_000;

/** Counts recent wrong passwords by name and address, by name, and by address. Kept in memory only. */
export function logInAttempts(clock: Clock) {
  const pairs = counter(clock, MAX_FOR_NAME);
  const names = counter(clock, MAX_SWIFT);
  const addresses = counter(clock, MAX_FROM_ADDRESS);
  return {
    /** Counts an attempt as wrong before its password is checked, so that parallel attempts can't bypass the limits. */
    begin(name: string, from: string) {
      const address = networkOf(from);
      const pair = JSON.stringify([name, address]);
      const retryAfterMs = Math.max(pairs.waitMs(pair), addresses.waitMs(address));
      if (retryAfterMs > 0) return { retryAfterMs };
      const slowedMs = names.waitMs(name) > 0 ? SLOWED_MS : 0;
      pairs.add(pair);
      names.add(name);
      addresses.add(address);
      return {
        /** How long to wait before the password is looked at: many wrong ones came for the name, from whatever addresses. */
        slowedMs,
        /** It was right: it doesn't count, and neither do the wrong ones before it for that name. */
        right() {
          pairs.clear(pair);
          names.clear(name);
          addresses.undo(address);
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

/** The latest times for each key; the key that was added to longest ago is forgotten first. */
function counter(clock: Clock, limit: number) {
  const times = new Map<string, readonly number[]>();
  const recent = (key: string) =>
    (times.get(key) ?? []).filter((atMs) => clock.monotonicMs() - atMs < WINDOW_MS);
  return {
    /** 0: the next one may come. */
    waitMs(key: string): number {
      const counted = recent(key);
      const first = counted[counted.length - limit];
      return first === undefined ? 0 : first + WINDOW_MS - clock.monotonicMs();
    },
    add(key: string): void {
      const counted = [...recent(key), clock.monotonicMs()];
      times.delete(key);
      times.set(key, counted);
      if (times.size > MAX_KEPT) times.delete(times.keys().next().value ?? '');
    },
    undo(key: string): void {
      times.set(key, recent(key).slice(0, -1));
    },
    clear(key: string): void {
      times.delete(key);
    },
  };
}
