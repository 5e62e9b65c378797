import type { Alert } from '../../domain/alerts/alert.js';

export interface ChannelResult {
  readonly channel: string;
  /** How many alerts it had to send. */
  readonly alerts: number;
  /** Why it didn't take them, as the end of a sentence about the channel; null: it took them. */
  readonly error: string | null;
}

/** What has changed since the last notifications, and the results of sending. */
export interface SentNotifications {
  readonly opened: readonly Alert[];
  readonly recovered: readonly Alert[];
  /** The channels with something to send. */
  readonly channels: readonly ChannelResult[];
}
