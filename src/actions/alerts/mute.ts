import { type AlertKey, alertName, isSameAlert } from '../../domain/alerts/alert.js';
import { isoFromMs } from '../../domain/clock.js';
import type { Decider } from '../../domain/decider.js';
import { errorsOf } from '../../domain/operator-error.js';
import { recordEvent } from '../../ledger/access/audit-log.js';
import { readState } from '../../ledger/books/state/read-state.js';
import type { ActionContext } from '../context.js';

interface Mute {
  readonly alert: AlertKey;
  /** For how long from now, at most 30 days; 0 unmutes. */
  readonly forMs: number;
  readonly because: string;
}

const MAX_MUTE_MS = 30 * 24 * 3_600_000;

/**
 * Holds the notifications of an open alert back, also where it closes and opens again meanwhile; status, health and pages show it all
 * the same. Throws OperatorError if no such alert is open, or the time is invalid.
 */
export async function muteAlert(
  { ledger }: Pick<ActionContext, 'ledger'>,
  { alert, forMs, because }: Mute,
  who: Decider,
): Promise<void> {
  const subject = alertName(alert);
  if (!(forMs >= 0 && forMs <= MAX_MUTE_MS))
    throw refused(subject, 'an alert is muted for 30 days at most', 'Choose a shorter time.', INVALID);
  if (because.trim() === '' && forMs > 0)
    throw refused(subject, 'the reason is missing', 'Say why no notification is to be sent.', INVALID);
  const { alerts } = await readState(ledger, ['alerts']);
  if (!alerts.open.some((open) => isSameAlert(open, alert)))
    throw refused(subject, 'this alert has closed', 'Choose an open alert.', { reason: 'not-found' });
  const value = forMs === 0 ? '' : isoFromMs(ledger.clock.nowMs() + forMs);
  await recordEvent(ledger, 'mute', who, { subject, value, about: because.trim().slice(0, 1_000) });
}

const refused = errorsOf('mute an alert');
const INVALID = { reason: 'invalid' } as const;
