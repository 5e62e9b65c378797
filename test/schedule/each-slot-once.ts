import { expect, onTestFinished } from 'vitest';
import type { ActionContext } from '../../src/actions/context.js';
import { registerServiceJobs } from '../../src/actions/service/jobs.js';
import { scheduleSchema } from '../../src/config/schema/schedule-schema.js';
import type { ScheduleConfig } from '../../src/config/schema.js';
import { jobName } from '../../src/config/values/job-name.js';
import { type Clock, systemClock } from '../../src/domain/clock.js';
import { disconnect } from '../../src/ledger/store/open.js';
import { openDatabaseLedger } from '../../src/ledger/store/postgres/open.js';
import type { Ledger } from '../../src/ledger/store/query.js';
import { type CronLine, nextSlotMs, slotsBetween } from '../../src/report/status/slots.js';
import { type NextFire, timedJob } from '../../src/schedule/jobs/timed-job.js';
import type { ServiceEvent } from '../../src/schedule/service-event.js';
import { databaseLedger } from '../simulation/database-ledger.js';
import { draws } from '../simulation/draws.js';
import { memoryLedger, type WorldLedger } from '../simulation/process-ledger.js';
import { actionContext } from '../support/action-context.js';
import { freshDatabase } from '../support/postgres-server.js';
import { sleepIn, virtualTime } from '../support/virtual-time.js';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

/** All change their clocks twice a year, one of them by half an hour, and in the other half of the year. */
export const ZONES = ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe'];

/** A time that the change of clocks leaves out in spring and brings twice in autumn, in all three zones; and each hour. */
export const DAILY = '45 1 * * *';
export const IN_THE_GAP = '15 2 * * *';
export const HOURLY = '0 * * * *';

const LINES = [
  ...ZONES.flatMap((timeZone) => [line(DAILY, timeZone, 'each'), line(IN_THE_GAP, timeZone, 'latest')]),
  line(HOURLY, 'Europe/Berlin', 'latest'),
];

function line(cron: string, timeZone: string, missed: ScheduleConfig['missed']): ScheduleConfig {
  return scheduleSchema.parse({ cron, timeZone, do: ['report'], missed });
}

/**
 * Lets two services live from one time to another, with crashes, stops and a clock that is set, and expects each slot of each line
 * to be worked on exactly once. @returns how much has happened.
 */
export async function expectEachSlotOnce(
  startMs: number,
  untilMs: number,
): Promise<{ crashes: number; steps: number; slots: number }> {
  const world = process.env.LEDGER === 'postgres' ? await freshWorld(startMs) : memoryLedger();
  onTestFinished(() => world.close());
  const { completed, crashes, steps, endMs, ledger } = await liveThrough(world, startMs, untilMs);
  const rows: readonly Row[] = await ledger.db
    .selectFrom('job_slot')
    .select(['job', 'slot_at as at', 'since_at as since', 'missed', 'ending'])
    .orderBy('job')
    .orderBy('slot_at')
    .execute();

  for (const one of LINES) {
    const job = jobName(one);
    const own = rows.filter((row) => row.job === job && row.ending === 'done');
    // A slot that a process died over is worked on again, unless a later one replaces it.
    const left = rows.filter((row) => row.job === job && row.ending !== 'done');
    expect(left.filter(({ at }) => one.missed === 'each' || !isCovered(Date.parse(at), own))).toEqual([]);
    // What was due in the last hour may still be to come.
    const [all, expected] = [endMs, endMs - HOUR_MS].map((until) =>
      slotsBetween(one, startMs, until, 1e6),
    ) as [number[], number[]];
    const worked = completed.get(job) ?? [];
    expect(worked.length, `${job} was completed twice for a slot`).toBe(new Set(worked).size);
    expect(own.map(({ at }) => Date.parse(at))).toEqual([...worked].sort((a, b) => a - b));
    const outside = own.filter(({ at }) => !all.includes(Date.parse(at)));
    expect(outside, `${job} was worked on at no slot`).toEqual([]);
    const isWorkedOn = (ms: number) => (one.missed === 'each' ? worked.includes(ms) : isCovered(ms, own));
    expect(
      expected.filter((ms) => !isWorkedOn(ms)),
      job,
    ).toEqual([]);
  }
  return { crashes, steps, slots: rows.length };
}

/** The ledger of a world in a database of the test's own. */
async function freshWorld(startMs: number): Promise<WorldLedger> {
  const { url, drop } = await freshDatabase();
  onTestFinished(drop);
  await disconnect(await openDatabaseLedger(url, systemClock()));
  return databaseLedger(url, startMs);
}

interface Row {
  readonly job: string;
  readonly at: string;
  readonly since: string;
  readonly missed: number;
  readonly ending: string | null;
}

/** True where the slot has a row. */
function isCovered(ms: number, rows: readonly Row[]): boolean {
  return rows.some(({ at, since }) => Date.parse(since) < ms && ms <= Date.parse(at));
}

interface Lived {
  /** The slots, in milliseconds since 1970, for which the work came to its end, by job. */
  readonly completed: ReadonlyMap<string, readonly number[]>;
  readonly crashes: number;
  readonly steps: number;
  /** When it was over. */
  readonly endMs: number;
  /** As a reader has it open. */
  readonly ledger: Ledger;
}

/** Two services on one ledger: each lives some days, then stops or dies, and comes back; now and then the clock is set. */
async function liveThrough(world: WorldLedger, startMs: number, endMs: number): Promise<Lived> {
  const draw = draws(process.env.SERVICE_SEED ?? '1');
  const time = virtualTime(() => world.atRest?.() ?? null);
  const completed = new Map<string, number[]>();
  let offsetMs = 0;
  let crashes = 0;
  let steps = 0;
  const machine = {
    bootId: 'virtual-boot',
    nowMs: () => startMs + time.passedMs() + offsetMs,
    monotonicMs: () => 1_000_000 + time.passedMs(),
  };
  const pause = (ms: number) => sleepIn(time, ms);

  /** Fires a line at its times, by the clock as it is set when the time before has come. */
  function fireInVirtualTime(line: CronLine, stop: AbortSignal): NextFire {
    let next = new AbortController();
    const firing = async () => {
      for (let at = nextSlotMs(line, machine.nowMs()); at !== null; at = nextSlotMs(line, at)) {
        await sleepIn(time, at - machine.nowMs(), stop);
        next.abort();
        if (stop.aborted) return;
      }
    };
    void firing();
    return () => {
      if (next.signal.aborted && !stop.aborted) next = new AbortController();
      return next.signal;
    };
  }

  /** One life of a service. */
  async function live(untilMs: number, mayDie = true): Promise<void> {
    let isDead = false;
    const stop = new AbortController();
    const over = new AbortController();
    /** Never comes back. */
    const die = () => {
      isDead = true;
      over.abort();
      return new Promise<never>(() => {});
    };
    const clock: Clock = {
      ...machine,
      sleep: (ms, signal) =>
        isDead
          ? new Promise(() => {})
          : sleepIn(time, ms, signal).then(() => (isDead ? new Promise(() => {}) : undefined)),
    };
    const hooks = {
      before() {
        if (isDead) throw new Error('the process is dead');
      },
      committed() {},
    };
    const context: ActionContext = { ...actionContext(world.of({ clock, time }, hooks)), clock };
    await registerServiceJobs(context, LINES.map(jobName));
    const listen = (event: ServiceEvent) => {
      if (event.kind === 'failed' && !isDead) throw event.error;
    };
    const jobs = LINES.map((one) =>
      timedJob(
        { ...context, stop: stop.signal, listen },
        one,
        async (_, slot) => {
          await clock.sleep(draw.magnitude(1, 60_000));
          if (mayDie && draw.chance(0.01)) return die();
          if (stop.signal.aborted && draw.chance(0.5)) return 'interrupted';
          completed.set(jobName(one), [...(completed.get(jobName(one)) ?? []), slot.atMs]);
          return 'done';
        },
        // Each look at the clock is an event of its own, and a year has many. A clock that is set wrong for an hour is seen so once.
        { pollMs: (HOUR_MS * 11) / 12, timer: fireInVirtualTime },
      ),
    );
    await sleepIn(time, untilMs - time.passedMs(), over.signal);
    if (mayDie && untilMs < endMs - startMs && draw.chance(0.5)) void die();
    if (isDead) {
      crashes += 1;
      return;
    }
    stop.abort();
    await Promise.all(jobs);
  }

  async function service(): Promise<void> {
    while (time.passedMs() < endMs - startMs) {
      await live(Math.min(time.passedMs() + draw.magnitude(HOUR_MS, 20 * DAY_MS), endMs - startMs + HOUR_MS));
      await pause(draw.magnitude(60_000, 2 * DAY_MS));
    }
  }

  /** Sets the clock wrong by up to three hours, and right again an hour later. */
  async function administrator(): Promise<void> {
    while (time.passedMs() < endMs - startMs - 2 * DAY_MS) {
      await pause(draw.between(1, 15) * DAY_MS);
      offsetMs = draw.between(-3, 3) * HOUR_MS;
      steps += 1;
      await pause(HOUR_MS);
      offsetMs = 0;
    }
  }

  await Promise.all([service(), service(), administrator()]);
  // The last service makes up for the slots that are left.
  await live(time.passedMs() + 2 * HOUR_MS, false);
  time.stop();
  const ledger = world.seenAt({ clock: { ...machine, sleep: pause }, time });
  return { completed, crashes, steps, endMs: machine.nowMs(), ledger };
}
