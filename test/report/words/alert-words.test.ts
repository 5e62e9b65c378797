import { expect, it } from 'vitest';
import { dataFile } from '../../../src/config/values/data-file.js';
import type { Alert, AlertFacts, Condition } from '../../../src/domain/alerts/alert.js';
import { HEALTH_CODES, type HealthPart } from '../../../src/domain/health/health.js';
import { alertWords } from '../../../src/report/words/alert-words.js';

const AT = '2026-03-02T08:00:00.000Z';
const FINDING: AlertFacts['environment'] = {
  state: 'failed',
  since: AT,
  lastGoodAt: null,
  message: 'Something of main failed.',
  remedy: 'Mend it.',
};
const TIMES = { alertId: 1, openedAt: AT, lastSeenAt: AT, overAt: null, closedAt: null };
const HERE = { workspace: '/srv/r', recoverAfterMs: 300_000 };

const WORDED: readonly (readonly [Condition, string, string | null])[] = [
  [
    {
      kind: 'cause',
      subject: 'academy',
      code: 'learner-unknown',
      facts: { rows: 412, state: 'held', cause: 'learner-unknown' },
    },
    'academy: 412 rows need attention (learner-unknown)',
    'registrar map --workspace /srv/r',
  ],
  [
    { kind: 'share', subject: 'academy', code: '', facts: { rows: 200, attention: 30, percent: 15 } },
    'academy: 15 % of the latest rows need attention',
    'registrar status --workspace /srv/r',
  ],
];

it.each(WORDED)(
  'an alert of kind $kind has words for when it is open, over and closed',
  (condition, title, command) => {
    const open = { ...condition, ...TIMES } as Alert;
    const words = alertWords(open, HERE);
    expect(words.title.startsWith(title)).toBe(true);
    expect(words).toMatchObject({
      command,
      remedy: expect.stringMatching(/\.$/),
      text: expect.stringMatching(/\.$/),
    });
    const ended = { ...open, lastSeenAt: '2026-03-02T08:29:00.000Z', overAt: '2026-03-02T08:30:00.000Z' };
    const isOver = { title: `Resolved: ${title}`, remedy: '', command: null };
    expect(alertWords(ended, HERE)).toEqual({
      ...isOver,
      text: 'Not seen since Mon 02 Mar 08:30 UTC; closes at Mon 02 Mar 08:34 UTC unless it returns.',
    });
    expect(alertWords({ ...ended, closedAt: '2026-03-02T09:00:00.000Z' }, HERE)).toEqual({
      ...isOver,
      text: 'From Mon 02 Mar 08:00 UTC to Mon 02 Mar 08:30 UTC.',
    });
  },
);

it.each<[HealthPart, string, string | null]>([
  ['environment', 'outage', 'doctor'],
  ['environment', 'outage:create-group', 'doctor'],
  ['books', 'unbalanced', 'report'],
  ['file', 'file-refused', 'status'],
  ['file', 'file-late', null],
  ['decision', 'decision-interrupted:7', 'run'],
  ['channel', 'channel-failing', 'alerts test --channel main'],
])('an alert for the part %s with the code %s names the command of its remedy: %s', (kind, code, command) => {
  const alert: Alert = { kind, subject: 'main', code, facts: FINDING, ...TIMES };
  const ofWorkspace = command === null ? null : `registrar ${command} --workspace /srv/r`;
  expect(alertWords(alert, HERE)).toMatchObject({
    title: 'Something of main failed',
    remedy: 'Mend it.',
    command: ofWorkspace,
  });
  expect(alertWords({ ...alert, overAt: AT }, HERE)).toMatchObject({
    title: 'Resolved: Something of main failed',
    remedy: '',
    command: null,
  });
});

it('a notification of a finding says since when it is so, and until when all was well', () => {
  const open = { ...TIMES, openedAt: '2026-03-02T08:05:00.000Z' };
  const key = { kind: 'environment', subject: 'main', code: 'outage' } as const;
  const text = (facts: Partial<typeof FINDING>) =>
    alertWords({ ...key, facts: { ...FINDING, ...facts }, ...open }, HERE).text;
  expect(text({ lastGoodAt: '2026-03-02T07:59:00.000Z' })).toBe(
    'Since Mon 02 Mar 08:00 UTC. It last worked at Mon 02 Mar 07:59 UTC.',
  );
  expect(text({ since: null })).toBe('Since Mon 02 Mar 08:05 UTC.');
});

it('commands of alerts are for codes of findings alone', () => {
  const words = dataFile<Readonly<Record<string, readonly string[]>>>('texts/alerts')();
  expect(HEALTH_CODES).toEqual(expect.arrayContaining(Object.keys(words)));
});
