import { expect, it } from 'vitest';
import {
  ALERT_KINDS,
  type Alert,
  type AlertFacts,
  type Condition,
} from '../../../src/domain/alerts/alert.js';
import { HEALTH_PARTS } from '../../../src/domain/health/health.js';
import { alertWords } from '../../../src/report/words/alert-words.js';

const AT = '2026-03-02T08:00:00.000Z';
const FINDING: AlertFacts['environment'] = {
  state: 'failed',
  since: AT,
  lastGoodAt: null,
  message: 'Something of main failed.',
  remedy: 'Mend it.',
};
const HERE = { workspace: '/srv/r', recoverAfterMs: 300_000 };

const SAID: readonly (readonly [Condition, string, string, string | null])[] = [
  [
    {
      kind: 'cause',
      subject: 'academy',
      code: 'learner-unknown',
      facts: { rows: 412, state: 'held', cause: 'learner-unknown' },
    },
    'academy: 412 rows need attention (learner-unknown)',
    'no row needs attention for this cause any more (learner-unknown)',
    'registrar map --workspace /srv/r',
  ],
  [
    { kind: 'share', subject: 'academy', code: '', facts: { rows: 200, attention: 30, percent: 15 } },
    'academy: 15 % of the latest rows need attention',
    'a usual share of the rows needs attention again',
    'registrar status --workspace /srv/r',
  ],
  [
    { kind: 'drop-small', subject: 'academy', code: '', facts: { rows: 3, usual: 300 } },
    'academy: the latest file is much smaller than usual',
    'the latest file has its usual size',
    null,
  ],
  [
    { kind: 'drop-large', subject: 'academy', code: '', facts: { rows: 3000, usual: 300 } },
    'academy: the latest file is much larger than usual',
    'the latest file has its usual size',
    null,
  ],
  ...HEALTH_PARTS.map((kind): readonly [Condition, string, string, string | null] => [
    { kind, subject: 'main', code: '', facts: FINDING },
    'Something of main failed',
    `${kind} is healthy again`,
    null,
  ]),
];

it.each(SAID)('$kind', (condition, title, over, command) => {
  const open = {
    ...condition,
    alertId: 1,
    openedAt: AT,
    lastSeenAt: AT,
    overAt: null,
    closedAt: null,
  } as Alert;
  const said = alertWords(open, HERE);
  expect(said.title.startsWith(title)).toBe(true);
  expect(said).toMatchObject({
    command,
    remedy: expect.stringMatching(/\.$/),
    text: expect.stringMatching(/\.$/),
  });
  const ended = { ...open, lastSeenAt: '2026-03-02T08:29:00.000Z', overAt: '2026-03-02T08:30:00.000Z' };
  const isOver = { title: `${condition.subject}: ${over}`, remedy: '', command: null };
  expect(alertWords(ended, HERE)).toEqual({
    ...isOver,
    text: 'Not seen since Mon 02 Mar 08:30 UTC; closes at Mon 02 Mar 08:34 UTC unless it returns.',
  });
  expect(alertWords({ ...ended, closedAt: '2026-03-02T09:00:00.000Z' }, HERE)).toEqual({
    ...isOver,
    text: 'From Mon 02 Mar 08:00 UTC to Mon 02 Mar 08:30 UTC, noticed at Mon 02 Mar 09:00 UTC.',
  });
});

it('every kind has its words', () => {
  expect(SAID.map(([{ kind }]) => kind)).toEqual(ALERT_KINDS);
});

it('a finding is told since when it is so, and until when all was well', () => {
  const open = {
    alertId: 1,
    openedAt: '2026-03-02T08:05:00.000Z',
    lastSeenAt: AT,
    overAt: null,
    closedAt: null,
  };
  const key = { kind: 'environment', subject: 'main', code: 'outage' } as const;
  const text = (facts: Partial<typeof FINDING>) =>
    alertWords({ ...key, facts: { ...FINDING, ...facts }, ...open }, HERE).text;
  expect(text({ lastGoodAt: '2026-03-02T07:59:00.000Z' })).toBe(
    'Since Mon 02 Mar 08:00 UTC. It last worked at Mon 02 Mar 07:59 UTC.',
  );
  expect(text({ since: null })).toBe('Since Mon 02 Mar 08:05 UTC.');
});
