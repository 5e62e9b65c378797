export const DOORS = ['command-line', 'schedule', 'inbox', 'console'] as const;

/** A way of deciding something: by a command, by the daemon, by a file in an inbox, on a page. */
export type Door = (typeof DOORS)[number];

/** What the audit log records beside decisions and tokens. */
export type EventKind =
  | 'upload'
  | 'sign-in'
  | 'sign-in-refused'
  | 'sign-out'
  | 'settings'
  | 'assign'
  | 'mute'
  | 'start-line';

export interface Decider {
  readonly name: string;
  readonly door: Door;
  /** SHA-256 (hex) of the request with an `Idempotency-Key`, so that it makes no second decision. Absent: no key. */
  readonly request?: string;
}
