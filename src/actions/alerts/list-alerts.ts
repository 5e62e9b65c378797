import { closesAtMs } from '../../domain/alerts/alert.js';
import { isoFromMs } from '../../domain/clock.js';
import { readState } from '../../ledger/books/state/read-state.js';
import { alertWords } from '../../report/words/alert-words.js';
import type { ActionContext } from '../context.js';
import { type ChannelWay, wayOf } from './way-of.js';

/** Open alerts, their channels, and the latest notifications. */
export type AlertList = Awaited<ReturnType<typeof listAlerts>>;

/**
 * Reads the open alerts, the channels, and the latest notifications; docs/cli-json.md describes the document.
 * @param workspace the folder to name in commands; null where commands are given in that folder.
 */
export async function listAlerts(
  { ledger, config }: ActionContext,
  { workspace }: { readonly workspace: string | null },
) {
  const { alerts } = await readState(ledger, ['alerts']);
  const { channels, urgent, recoverAfterMs } = config.alerts;
  return {
    channels: channels.map((channel): { channel: string; way: ChannelWay; failing: Failing | null } => {
      const failing = alerts.failing.find((candidate) => candidate.channel === channel.name);
      return {
        channel: channel.name,
        way: wayOf(channel),
        failing:
          failing === undefined ? null : { since: failing.since, tries: failing.tries, error: failing.error },
      };
    }),
    open: alerts.open.map((alert) => {
      const { alertId, kind, subject, code, openedAt, lastSeenAt, overAt, facts, muted } = alert;
      const key = { alert: alertId, kind, subject, code: code === '' ? null : code };
      const closesAt = overAt === null ? null : isoFromMs(closesAtMs(alert, recoverAfterMs));
      const times = { openedAt, lastSeenAt, overAt, closesAt };
      const words = alertWords(alert, { workspace, recoverAfterMs });
      return { ...key, urgent: urgent.includes(kind), ...times, muted, facts, ...words };
    }),
    notifications: alerts.notifications.map(({ alertId, code, ...notification }) => ({
      alert: alertId,
      ...notification,
      code: code === '' ? null : code,
    })),
  };
}

interface Failing {
  readonly since: string;
  readonly tries: number;
  readonly error: string;
}
