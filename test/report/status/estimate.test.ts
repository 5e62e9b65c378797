import { expect, it } from 'vitest';
import { environmentSchema } from '../../../src/config/schema/environment-schema.js';
import { estimatedMs, inWords } from '../../../src/report/status/estimate.js';

const environment = (quota: Record<string, unknown>) =>
  environmentSchema.parse({
    baseUrl: 'https://a.example',
    authUrl: 'https://b.example',
    clientId: 'c',
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
