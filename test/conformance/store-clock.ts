import type { Clock } from '../../src/domain/clock.js';

/** The time by which a store goes, as a test sets it. */
export interface StoreClock {
  /** Milliseconds since 1970, as the store has them now. */
  nowMs(): number;
  /** Lets time pass: heartbeats that fall due meanwhile come at their time. */
  pass(ms: number): Promise<void>;
  /** Sets the wall clock alone, as an administrator or NTP does. */
  setWall(ms: number): Promise<void>;
}

/** The clock of a store that goes by the clocks of its processes. */
export interface ProcessClock extends StoreClock {
  /** The clock of a process that lives. */
  readonly living: Clock;
  /** The clock of a process that is stuck: none of its heartbeats ever comes. */
  readonly stuck: Clock;
}

interface Sleeper {
  readonly atMs: number;
  wake(): void;
}

/**
 * A clock that is stopped until it is moved. A sleep that can be stopped, such as the time between two heartbeats, ends when its
 * time has come; one that can't, such as the pause between two pages, takes no time.
 * @param othersDone resolves once what was begun by others has come to rest.
 */
export function processClock(
  start = '2026-03-02T08:00:00.000Z',
  bootId = 'boot-1',
  othersDone = turnOfTheLoop,
): ProcessClock {
  let wall = Date.parse(start);
  let monotonic = 1_000_000;
  const sleepers = new Set<Sleeper>();
  const moveTo = (ms: number) => {
    wall += ms - monotonic;
    monotonic = ms;
  };
  const sleep: Clock['sleep'] = async (ms, signal) => {
    if (signal === undefined) return othersDone();
    if (signal.aborted) return;
    await new Promise<void>((resolve) => {
      const wake = () => {
        sleepers.delete(sleeper);
        signal.removeEventListener('abort', wake);
        resolve();
      };
      const sleeper = { atMs: monotonic + ms, wake };
      sleepers.add(sleeper);
      signal.addEventListener('abort', wake);
    });
  };
  const living: Clock = { bootId, nowMs: () => wall, monotonicMs: () => monotonic, sleep };
  return {
    living,
    stuck: { ...living, sleep: (ms, signal) => (signal === undefined ? sleep(ms) : ended(signal)) },
    nowMs: () => wall,
    async pass(ms) {
      const untilMs = monotonic + ms;
      for (let next = firstOf(sleepers, untilMs); next; next = firstOf(sleepers, untilMs)) {
        moveTo(next.atMs);
        next.wake();
        await othersDone();
      }
      moveTo(untilMs);
    },
    async setWall(ms) {
      wall = ms;
    },
  };
}

function firstOf(sleepers: ReadonlySet<Sleeper>, untilMs: number): Sleeper | undefined {
  return [...sleepers].filter(({ atMs }) => atMs <= untilMs).sort((a, b) => a.atMs - b.atMs)[0];
}

/** Work without the network or the disk's own threads comes to rest within a turn of the event loop. */
function turnOfTheLoop(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function ended(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve());
  });
}
