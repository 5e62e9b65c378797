import type { Clock } from '../domain/clock.js';
import type { MonitorRoutes } from '../monitor/monitor-routes.js';
import type { ApiCallers } from './api/api-caller.js';
import type { UploadLimits } from './server/bodies/reception.js';
import type { LedgerEvents } from './server/events.js';
import type { Cookies } from './visits/cookie.js';
import type { Doorkeeper } from './visits/doorkeeper.js';
import type { ProviderLogIn } from './visits/provider-log-in.js';
import type { Desk } from './work/desk.js';

/** What an app is made of. */
export interface AppParts {
  readonly desk: Desk;
  readonly clock: Clock;
  /** The timer that closes connections. */
  readonly network: Clock;
  readonly doorkeeper: Doorkeeper;
  /** Programs, which have tokens. */
  readonly callers: ApiCallers;
  readonly cookies: Cookies;
  readonly provider: ProviderLogIn;
  /** Where browsers reach the console; null: on this machine alone. */
  readonly url: string | null;
  readonly isSecure: boolean;
  /** Called for a bug, with the request; the text for people is the caller's. */
  readonly onFailure: (error: unknown, asked: string) => void;
  /** Called with a detail for the log where a provider or a proxy names a person without access. */
  readonly onRefused: (detail: string) => void;
  readonly events: LedgerEvents;
  /** Absent: the usual ones. */
  readonly uploads?: UploadLimits | undefined;
  /** Served beside the pages, without a sign-in; null: not here. */
  readonly monitor: MonitorRoutes | null;
}
