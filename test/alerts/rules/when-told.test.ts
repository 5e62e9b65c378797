import { expect, it } from 'vitest';
import { whenTold } from '../../../src/alerts/rules/when-told.js';
import { alertsSchema } from '../../../src/config/schema/alerts-schema.js';

/** When an urgent and another kind are due that are found at this time, and whether each is held back then. */
async function when(settings: object, now: string) {
  const alerts = alertsSchema.parse({
    timeZone: 'Europe/Berlin',
    channels: [{ name: 'ops', file: 'x' }],
    ...settings,
  });
  const [channel] = alerts.channels;
  if (channel === undefined) throw new Error('no channel');
  const { dueMs, heldBack } = await whenTold(alerts, channel, Date.parse(`${now}:00.000Z`));
  return (['books', 'cause'] as const).map(
    (kind) =>
      `${new Date(dueMs[kind] ?? 0).toISOString().slice(5, 16)}${heldBack.includes(kind) ? ' held' : ''}`,
  );
}

const NIGHT = { quietHours: { from: '22:00', to: '07:00' } };
const NIGHT_BUT_URGENT = { quietHours: { from: '22:00', to: '07:00', urgent: 'tell' } };
const NOON = { quietHours: { from: '12:00', to: '13:30' } };

it.each<[string, object, string, [string, string]]>([
  ['without any hours all is told at once', {}, '2026-03-02T23:00', ['03-02T23:00', '03-02T23:00']],
  ['by day', NIGHT, '2026-03-02T20:59', ['03-02T20:59', '03-02T20:59']],
  ['from the first minute of the night', NIGHT, '2026-03-02T21:00', ['03-03T06:00 held', '03-03T06:00 held']],
  ['after midnight', NIGHT, '2026-03-03T01:00', ['03-03T06:00 held', '03-03T06:00 held']],
  ['to its last minute', NIGHT, '2026-03-03T05:59', ['03-03T06:00 held', '03-03T06:00 held']],
  ['and not after it', NIGHT, '2026-03-03T06:00', ['03-03T06:00', '03-03T06:00']],
  [
    'the night in which clocks are set forward is shorter',
    NIGHT,
    '2026-03-28T21:30',
    ['03-29T05:00 held', '03-29T05:00 held'],
  ],
  [
    'and the one in which they are set back longer',
    NIGHT,
    '2026-10-24T20:30',
    ['10-25T06:00 held', '10-25T06:00 held'],
  ],
  ['hours within a day', NOON, '2026-03-02T11:30', ['03-02T12:30 held', '03-02T12:30 held']],
  ['and outside of them', NOON, '2026-03-02T23:30', ['03-02T23:30', '03-02T23:30']],
  ['the urgent may pass', NIGHT_BUT_URGENT, '2026-03-03T01:00', ['03-03T01:00', '03-03T06:00 held']],
  [
    'a digest is for all but the urgent',
    { digest: '07:30' },
    '2026-03-02T10:00',
    ['03-02T10:00', '03-03T06:30'],
  ],
  [
    'a digest within quiet hours waits for their end',
    { ...NIGHT, digest: '05:00' },
    '2026-03-02T10:00',
    ['03-02T10:00', '03-03T06:00'],
  ],
  [
    'a channel may have no digest',
    { digest: '07:30', channels: [{ name: 'ops', file: 'x', digest: 'none' }] },
    '2026-03-02T10:00',
    ['03-02T10:00', '03-02T10:00'],
  ],
])('%s', async (_, settings, now, times) => {
  expect(await when(settings, now)).toEqual(times);
});
