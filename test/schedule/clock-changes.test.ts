import { DateTime } from 'luxon';
import { expect, it } from 'vitest';
import { slotsBetween } from '../../src/report/status/slots.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Of them one changes its clocks by half an hour, one at midnight, one for Ramadan, one on Greenland's evening, and two not at all. */
const ZONES = [
  'Africa/Cairo',
  'Africa/Casablanca',
  'America/New_York',
  'America/Nuuk',
  'America/St_Johns',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'Europe/Berlin',
  'UTC',
];

const MINUTES: Readonly<Record<string, (minute: number) => boolean>> = {
  '*': () => true,
  '*/15': (minute) => minute % 15 === 0,
  '0': (minute) => minute === 0,
  '30': (minute) => minute === 30,
  '10-12,59': (minute) => (minute >= 10 && minute <= 12) || minute === 59,
};
const HOURS: Readonly<Record<string, (hour: number) => boolean>> = {
  '*': () => true,
  '*/2': (hour) => hour % 2 === 0,
  '0': (hour) => hour === 0,
  '1': (hour) => hour === 1,
  '2': (hour) => hour === 2,
  '23': (hour) => hour === 23,
  '1-3': (hour) => hour >= 1 && hour <= 3,
  '22-2': (hour) => hour >= 22 || hour <= 2,
};
const WEEKDAYS: Readonly<Record<string, (weekday: number) => boolean>> = {
  '*': () => true,
  'sun,mon': (weekday) => weekday === 7 || weekday === 1,
};

/** What a clock on the wall shows. */
interface Shown {
  readonly minute: number;
  readonly hour: number;
  readonly weekday: number;
}

interface Minute extends Shown {
  readonly utcMs: number;
  /** It was shown before. */
  readonly isRepeated: boolean;
  /** What was to be shown between the minute before and this one. */
  readonly omitted: readonly Shown[];
}

it.each(ZONES)(
  'in %s the clock on the wall says when a line is due, on the days on which it is set too',
  (timeZone) => {
    for (const minutes of [...changesIn(timeZone), minutesAround(Date.UTC(2026, 6, 5, 3), timeZone)]) {
      const [first, last] = [minutes.at(0), minutes.at(-1)].map((minute) => minute?.utcMs ?? 0) as [
        number,
        number,
      ];
      for (const [minute, isMinute] of Object.entries(MINUTES))
        for (const [hour, isHour] of Object.entries(HOURS))
          for (const [weekday, isWeekday] of Object.entries(WEEKDAYS)) {
            const cron = `${minute} ${hour} * * ${weekday}`;
            const fits = (shown: Shown) =>
              isMinute(shown.minute) && isHour(shown.hour) && isWeekday(shown.weekday);
            const isOneTime = /^\d+ \d+ /.test(cron);
            const due = minutes.filter(
              (minute) =>
                (fits(minute) && (hour === '*' || !minute.isRepeated)) ||
                (isOneTime && minute.omitted.some(fits)),
            );
            expect(slotsBetween({ cron, timeZone }, first - 1, last, 1e6), cron).toEqual(
              due.map(({ utcMs }) => utcMs),
            );
          }
    }
  },
);

/** The hours around each change of clocks in a year. */
function* changesIn(zone: string): Generator<readonly Minute[]> {
  for (let day = Date.UTC(2026, 0); day < Date.UTC(2027, 0); day += DAY_MS) {
    if (offsetMs(day, zone) === offsetMs(day + DAY_MS, zone)) continue;
    let hour = day;
    while (offsetMs(hour, zone) === offsetMs(hour + HOUR_MS, zone)) hour += HOUR_MS;
    yield minutesAround(hour, zone);
  }
}

/** The minutes of nine hours before and after. */
function minutesAround(utcMs: number, zone: string): readonly Minute[] {
  const fromMs = utcMs - 9 * HOUR_MS;
  let latestMs = fromMs + offsetMs(fromMs, zone) - MINUTE_MS;
  return Array.from({ length: 18 * 60 }, (_, at) => {
    const ms = fromMs + at * MINUTE_MS;
    const wallMs = ms + offsetMs(ms, zone);
    const omitted: Shown[] = [];
    for (let left = latestMs + MINUTE_MS; left < wallMs; left += MINUTE_MS) omitted.push(shownAt(left));
    const isRepeated = wallMs <= latestMs;
    latestMs = Math.max(latestMs, wallMs);
    return { ...shownAt(wallMs), utcMs: ms, isRepeated, omitted };
  });
}

function shownAt(wallMs: number): Shown {
  const shown = new Date(wallMs);
  return { minute: shown.getUTCMinutes(), hour: shown.getUTCHours(), weekday: shown.getUTCDay() || 7 };
}

function offsetMs(utcMs: number, zone: string): number {
  return DateTime.fromMillis(utcMs, { zone }).offset * MINUTE_MS;
}
