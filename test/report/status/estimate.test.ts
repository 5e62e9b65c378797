import { expect, it } from 'vitest';
import { environmentSchema } from '../../../src/config/schema/environment-schema.js';
import { inWords, roughlyInWords } from '../../../src/domain/text/duration-words.js';
import { estimatedMs } from '../../../src/report/status/delivery-estimate.js';

const environment = (quota: Record<string, unknown>) =>
  environmentSchema.parse({
    baseUrl: 'https://a.example',
    authUrl: 'https://b.example',
    clientId: 'c',
    clientSecret: 's',
    quota,
  });

it.each([
  { waiting: 0, quota: {}, minutes: 0 },
  { waiting: 70, quota: {}, minutes: 1 },
  { waiting: 7_000, quota: {}, minutes: 101 },
  { waiting: 60, quota: { reserve: 10 }, minutes: 1 },
  { waiting: 100, quota: { requests: 100, per: '1h' }, minutes: 60 },
])('$waiting rows at $quota take about $minutes min', ({ waiting, quota, minutes }) => {
  const estimated = estimatedMs(waiting, environment(quota)) / 60_000;
  expect(Math.abs(estimated - minutes)).toBeLessThanOrEqual(Math.max(0.02, minutes / 100));
});

it('a pause after a 429 counts, and nothing takes no time', () => {
  expect(estimatedMs(70, environment({}), 30_000)).toBe(30_000 + 60_500);
  expect(estimatedMs(0, environment({}), 30_000)).toBe(0);
});

it.each([
  [119_400, '1 min 59 s'],
  [356_100, '6 min'],
  [7_570_000, '2 h 6 min'],
])('%i ms are roughly %s', (ms, words) => {
  expect(roughlyInWords(ms)).toBe(words);
});

it.each([
  [0, '0 s'],
  [45_400, '45 s'],
  [60_000, '1 min'],
  [90_000, '1 min 30 s'],
  [3_600_000, '1 h'],
  [7_500_000, '2 h 5 min'],
  [172_800_000, '2 days 0 h'],
  [200_000_000, '2 days 7 h'],
])('%i ms is %s', (ms, words) => {
  expect(inWords(ms)).toBe(words);
});
