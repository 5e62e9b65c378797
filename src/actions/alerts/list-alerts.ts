import type { ChannelConfig } from '../../config/schema/alerts-schema.js';
import { closesAtMs } from '../../domain/alerts/alert.js';
import { isoFromMs } from '../../domain/clock.js';
import { readState } from '../../ledger/books/state/read-state.js';
import { alertWords } from '../../report/words/alert-words.js';
import type { ActionContext } from '../context.js';

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
    channels: channels.map((channel) => {
      const failure = alerts.failing.find((one) => one.channel === channel.name);
      const failing = failure && { since: failure.since, tries: failure.tries, error: failure.error };
      return { channel: channel.name, way: channelKind(channel), failing: failing ?? null };
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

/** The kind of a channel: the schema allows exactly one. */
export function channelKind(channel: ChannelConfig): 'email' | 'webhook' | 'file' | 'command' {
  if (channel.email) return 'email';
  if (channel.webhook) return 'webhook';
  return channel.file === undefined ? 'command' : 'file';
}
