import type { SendingContext } from '../../src/alerts/channels/send.js';
import { type AlertEntry, type AlertMessage, messageOf } from '../../src/alerts/message.js';
import { alertsSchema, type ChannelConfig } from '../../src/config/schema/alerts-schema.js';
import type { Alert } from '../../src/domain/alerts/alert.js';
import { systemClock } from '../../src/domain/clock.js';

const ALERT: Alert = {
  alertId: 7,
  kind: 'cause',
  subject: 'academy',
  code: 'learner-unknown',
  facts: { rows: 412, state: 'held', cause: 'learner-unknown' },
  openedAt: '2026-03-02T08:00:00.000Z',
  lastSeenAt: '2026-03-02T08:00:00.000Z',
  overAt: null,
  closedAt: null,
};

const WORDS: AlertEntry['words'] = {
  title: 'academy: 412 rows need attention (learner-unknown)',
  text: 'The platform does not know the learner.',
  remedy: 'Look for a typo.',
  command: 'registrar map',
  details: ['Files: ada-lovelace.csv'],
};

/** A message about one cause. */
export function oneCause(words: Partial<AlertEntry['words']> = {}): AlertMessage {
  return messageOf([{ event: 'opened', isUrgent: false, alert: ALERT, words: { ...WORDS, ...words } }], {
    at: '2026-03-02T08:00:00.000Z',
    host: 'machine',
    workspace: '/srv/registrar',
    console: null,
  });
}

/** A message about many causes. */
export function manyCauses(count: number): AlertMessage {
  const [entry] = oneCause().entries;
  const { at, host, workspace, console } = oneCause();
  return messageOf(entry === undefined ? [] : Array(count).fill(entry), { at, host, workspace, console });
}

/** A channel as registrar.yaml would have it. */
export function channelOf(settings: Readonly<Record<string, unknown>>): ChannelConfig {
  const [channel] = alertsSchema.parse({ channels: [{ name: 'ops', ...settings }] }).channels;
  if (channel === undefined) throw new Error('no channel');
  return channel;
}

/** What a notification needs, in this folder. */
export function sending(root: string, stop = new AbortController().signal): SendingContext {
  return { clock: systemClock(), root, stop };
}
