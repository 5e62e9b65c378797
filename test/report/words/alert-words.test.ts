import { expect, it } from 'vitest';
import { ALERT_KINDS, type Alert, type Condition } from '../../../src/domain/alerts/alert.js';
import { alertWords } from '../../../src/report/words/alert-words.js';

const AT = '2026-03-02T08:00:00.000Z';
const OUTAGE = {
  fault: 'credentials',
  host: 'token',
  hostName: 'login.example',
  since: AT,
  workedUntil: null,
  waiting: 3,
} as const;
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
    { kind: 'set-aside', subject: 'academy', code: '', facts: { files: 2, codes: 'header-missing' } },
    'academy: 2 files set aside (header-missing)',
    'no file is set aside any more',
    'registrar status --workspace /srv/r',
  ],
  [
    { kind: 'drop-missing', subject: 'academy', code: '', facts: { expectedBy: AT, latestAt: null } },
    'academy: no file has come by Mon 02 Mar',
    'a file has come',
    null,
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
  [
    {
      kind: 'environment-down',
      subject: 'main',
      code: 'create-group',
      facts: { ...OUTAGE, fault: 'server-error' },
    },
    "main: the environment doesn't take create-group",
    'the environment takes create-group again',
    'registrar doctor --workspace /srv/r',
  ],
  [
    { kind: 'credentials-refused', subject: 'main', code: '', facts: OUTAGE },
    "main: the environment can't be used: credentials are refused",
    'the environment can be used again',
    'registrar doctor --workspace /srv/r',
  ],
  [
    { kind: 'late', subject: 'main', code: '', facts: { rows: 9, deliverBy: AT, endsAt: AT } },
    'main: the backlog will miss the Mon 02 Mar',
    'the deadline is met again',
    'registrar status --workspace /srv/r',
  ],
  [
    { kind: 'unbalanced', subject: 'ledger', code: '', facts: { run: 7, equations: 2 } },
    "the books don't balance (run 7)",
    'the books balance again',
    'registrar report --run 7 --workspace /srv/r',
  ],
  [
    {
      kind: 'channel-failing',
      subject: 'ops',
      code: '',
      facts: { since: AT, tries: 3, error: 'answered HTTP 500' },
    },
    "alert channel ops doesn't work",
    'nothing waits for the alert channel any more',
    'registrar alerts test --channel ops --workspace /srv/r',
  ],
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

it('a deadline that has passed is said to be missed', () => {
  const late = { kind: 'late', subject: 'main', code: '', facts: { rows: 1, deliverBy: AT, endsAt: null } };
  const alert = { ...late, alertId: 1, openedAt: AT, lastSeenAt: AT, overAt: null, closedAt: null } as Alert;
  expect(alertWords(alert, HERE)).toMatchObject({
    title: expect.stringMatching(/^main: the backlog missed the .* deadline$/),
    text: '1 row is still waiting.',
  });
});

it('an outage is told with the host that fails, and until when the settings worked', () => {
  const facts = { ...OUTAGE, fault: 'connection-refused', workedUntil: '2026-03-02T07:59:00.000Z' };
  const outage = { kind: 'environment-down', subject: 'main', code: '', facts };
  const alert = {
    ...outage,
    alertId: 1,
    openedAt: AT,
    lastSeenAt: AT,
    overAt: null,
    closedAt: null,
  } as Alert;
  expect(alertWords(alert, HERE).text).toBe(
    'The token host refuses the connection (login.example), since Mon 02 Mar 08:00 UTC. It worked until Mon 02 Mar 07:59 UTC, so the settings were right then. 3 rows wait for it; nothing is lost.',
  );
});
