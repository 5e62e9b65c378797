import type { Alert } from '../../domain/alerts/alert.js';

/** What was told to a channel. */
export interface ChannelTold {
  readonly channel: string;
  /** How many alerts it was to be told of. */
  readonly alerts: number;
  /** Why it didn't take them, as the end of a sentence about the channel; null: it took them. */
  readonly error: string | null;
}

/** What has changed since alerts were told last, and how telling went. */
export interface AlertsTold {
  readonly opened: readonly Alert[];
  readonly recovered: readonly Alert[];
  /** The channels that had something to tell. */
  readonly channels: readonly ChannelTold[];
}
