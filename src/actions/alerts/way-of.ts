import type { ChannelConfig } from '../../config/schema/alerts-schema.js';

export type ChannelWay = 'email' | 'webhook' | 'file' | 'command';

/** The one way that the schema has let a channel have. */
export function wayOf(channel: ChannelConfig): ChannelWay {
  if (channel.email) return 'email';
  if (channel.webhook) return 'webhook';
  return channel.file === undefined ? 'command' : 'file';
}
