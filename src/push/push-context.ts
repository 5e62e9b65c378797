import type { EnvironmentConfig } from '../config/schema.js';
import type { Clock } from '../domain/clock.js';
import type { Gate } from '../domain/environment/gate.js';
import type { Owner } from '../ledger/leases/owner.js';
import type { Ledger } from '../ledger/store/query.js';
import type { PlatformClient } from '../platform/client.js';
import type { TokenSource } from '../platform/token.js';
import type { PushListener } from './push-event.js';

/** All that pushing to one environment needs. */
export interface PushContext {
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly owner: Owner;
  readonly runId: number;
  readonly environment: string;
  /** The rerun whose rows alone are delivered; null or absent: all rows that wait are delivered. */
  readonly chosenBy?: number | null;
  readonly config: EnvironmentConfig;
  readonly gate: Gate;
  readonly client: PlatformClient;
  readonly tokens: TokenSource;
  /** Aborted when no more requests may begin; requests under way are finished. */
  readonly stop: AbortSignal;
  /** A number from 0 to 1. */
  readonly random: () => number;
  readonly listen: PushListener;
}
