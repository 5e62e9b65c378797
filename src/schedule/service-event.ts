import type { SentNotifications } from '../actions/alerts/reconcile-and-notify.js';
import type { ActionContext } from '../actions/context.js';
import type { Finished } from '../actions/decision/finish.js';
import type { RunResult } from '../actions/run/run-lifecycle.js';
import type { Clock } from '../domain/clock.js';

export type ServiceEvent =
  | { readonly kind: 'ran'; readonly result: RunResult }
  /** A slot begins. `missed`: it makes up for this many earlier ones too. */
  | { readonly kind: 'slot-begun'; readonly job: string; readonly slotAt: string; readonly missed: number }
  | { readonly kind: 'slot-ended'; readonly job: string; readonly slotAt: string; readonly ending: string }
  /** Another process works on the job: `pid`. */
  | { readonly kind: 'elsewhere'; readonly job: string; readonly slotAt: string; readonly pid: number }
  | { readonly kind: 'done'; readonly job: string; readonly what: string; readonly facts: object }
  /** A decision of a dead process was carried out to its end. */
  | { readonly kind: 'decision-finished'; readonly decision: Finished }
  /** Alerts were opened or closed, or notifications were sent. */
  | { readonly kind: 'notified'; readonly sent: SentNotifications }
  /** A job failed; it is retried `againMs` later, null: at its next slot. */
  | {
      readonly kind: 'failed';
      readonly job: string;
      readonly error: unknown;
      readonly againMs: number | null;
    };

export type ServiceListener = (event: ServiceEvent) => void;

/** What the service needs before a workspace is open. */
export interface JobContext {
  readonly clock: Clock;
  /** Ends the job. */
  readonly stop: AbortSignal;
  readonly listen: ServiceListener;
}

/** An open workspace, as the jobs of the service work in it. */
export interface ServiceContext extends ActionContext, JobContext {}
