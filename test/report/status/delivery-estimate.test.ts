import { expect, it } from 'vitest';
import { environmentSchema } from '../../../src/config/schema/environment-schema.js';
import { msFromIso } from '../../../src/domain/clock.js';
import { deliveryEstimate, estimateWords, isLate } from '../../../src/report/status/delivery-estimate.js';
import { localTime } from '../../../src/report/text/local-time.js';

const KATHMANDU = { deliverBy: '18:00', timeZone: 'Asia/Kathmandu' };

const NOW = '2026-03-02T08:00:00.000Z';

type Delivery = Parameters<typeof deliveryEstimate>[0]['delivery'];

/** With an empty quota of the specification. */
function estimate(requests: number, at: string | null, facts: Partial<Delivery> = {}) {
  const settings = {
    baseUrl: 'https://a.example',
    authUrl: 'https://b.example',
    clientId: 'c',
    clientSecret: 's',
    ...(at === null ? {} : KATHMANDU),
  };
  const delivery = { rows: requests, requests, pausedForMs: 0, isDown: false, since: null, ...facts };
  return deliveryEstimate(
    { environment: 'main', settings: environmentSchema.parse(settings), delivery },
    0,
    msFromIso(NOW),
    at === null ? null : msFromIso(at),
  );
}

const TODAY = '2026-03-02T12:15:00.000Z';

it.each([
  [
    'in time',
    estimate(412, TODAY),
    `main: 412 rows in 412 requests, about 6 min at 70 a minute, until ${localTime('2026-03-02T08:05:56.000Z')}, will meet the ${localTime(TODAY)} deadline`,
  ],
  [
    'too late',
    estimate(20_000, TODAY),
    `main: 20000 rows in 20000 requests, about 4 h 48 min at 70 a minute, until ${localTime('2026-03-02T12:48:06.000Z')}, will miss the ${localTime(TODAY)} deadline by about 33 min`,
  ],
  [
    'not known, while the environment is down',
    estimate(412, TODAY, { isDown: true }),
    'main: 412 rows in 412 requests, about 6 min at 70 a minute once it can be used',
  ],
])('the estimate says whether the end is %s', (_, found, words) => {
  expect(estimateWords(found)).toBe(words);
});

it('an estimate without deliverBy mentions no deadline', () => {
  expect(estimateWords(estimate(412, null))).toMatch(
    /^main: 412 rows in 412 requests, about 6 min at 70 a minute, until \w+ 02 Mar \d\d:\d\d \S+$/,
  );
});

it('late is what ends after it, by so many milliseconds; what ends with it is in time', () => {
  const endsAt = '2026-03-02T08:01:00.500Z';
  expect(estimate(70, null).estimatedEnd).toBe(endsAt);
  expect(estimate(70, endsAt).deliverBy).toEqual({
    time: '18:00',
    timeZone: 'Asia/Kathmandu',
    at: endsAt,
    isMissed: false,
    lateByMs: 0,
  });
  const late = estimate(70, '2026-03-02T08:01:00.000Z');
  expect([isLate(estimate(70, endsAt)), isLate(late), late.deliverBy?.lateByMs]).toEqual([false, true, 500]);
});

it('an estimate without waiting rows, or with a stopped environment, has no end and no delay', () => {
  for (const found of [estimate(0, TODAY), estimate(9, TODAY, { isDown: true })]) {
    expect(found).toMatchObject({ estimatedEnd: null, deliverBy: { lateByMs: null } });
    expect(isLate(found)).toBe(false);
  }
});
