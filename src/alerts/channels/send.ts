import type { ChannelConfig } from '../../config/schema/alerts-schema.js';
import type { AlertMessage } from '../message.js';
import { ChannelError } from './channel-error.js';
import type { TimeLimit } from './with-timeout.js';

export interface SendingContext extends Omit<TimeLimit, 'limitMs'> {
  /** The workspace's folder, where relative paths begin. */
  readonly root: string;
}

/** Sends a message through a channel. @returns why it didn't go, as the end of a sentence about the channel; null: it went. */
export async function send(
  channel: ChannelConfig,
  message: AlertMessage,
  { clock, root, stop }: SendingContext,
): Promise<string | null> {
  const limit = { clock, limitMs: channel.timeLimitMs, stop };
  const payload = channel.details ? message : withoutDetails(message);
  try {
    if (channel.email !== undefined) {
      const { sendByMail } = await import('./email.js');
      await sendByMail(channel.email, payload, limit);
    } else if (channel.webhook !== undefined) {
      const { sendByWebhook } = await import('./webhook.js');
      await sendByWebhook(channel.webhook, payload, limit);
    } else if (channel.file !== undefined) {
      const { sendByFile } = await import('./file.js');
      await sendByFile(channel.file, root, payload, limit);
    } else {
      const { sendByCommand } = await import('./command.js');
      await sendByCommand(channel.command ?? [], root, payload, limit);
    }
    return null;
  } catch (error) {
    if (error instanceof ChannelError) return error.message;
    // A message of the system or of a library may hold an address with a secret in it; its code doesn't.
    const { code, name } = error as { code?: unknown; name?: unknown };
    return `failed (${typeof code === 'string' ? code : String(name)})`;
  }
}

function withoutDetails(message: AlertMessage): AlertMessage {
  const entries = message.entries.map((entry) => ({ ...entry, words: { ...entry.words, details: [] } }));
  return { ...message, entries };
}
