import type { Cause } from '../cause.js';
import { msFromIso } from '../clock.js';
import type { PlacedFault } from '../environment/fault.js';
import type { IssueCode } from '../issue.js';
import type { State } from '../submission.js';

/** What an alert is about. The ledger's CHECK, the settings and this list are compared by a test. */
export const ALERT_KINDS = [
  // Rows of a source need attention for a cause.
  'cause',
  // A large share of the rows that a source sent lately needs attention.
  'share',
  // Files of a source were set aside as a whole.
  'set-aside',
  // An expected drop of a source has not come.
  'drop-missing',
  // The latest drop of a source is much smaller, or much larger, than its usual size.
  'drop-small',
  'drop-large',
  // An environment, or an operation of it, can't be used.
  'environment-down',
  // The same, because credentials are refused.
  'credentials-refused',
  // What waits for an environment won't be delivered by its `deliverBy`, or was not.
  'late',
  'unbalanced',
  // A channel of alerts doesn't take them; the others tell of it.
  'channel-failing',
] as const;

export type AlertKind = (typeof ALERT_KINDS)[number];

/** What a channel tells of an alert. */
export const TOLD_EVENTS = ['opened', 'recovered'] as const;

export type ToldEvent = (typeof TOLD_EVENTS)[number];

/** The numbers and codes behind an alert, by its kind. Never personal: the ledger keeps them, and channels show them. */
export interface AlertFacts {
  readonly cause: {
    readonly rows: number;
    readonly state: State | 'invalid';
    readonly cause: Cause | IssueCode;
  };
  readonly share: { readonly rows: number; readonly attention: number; readonly percent: number };
  /** `codes` are those of the refusals, with a comma between two. */
  readonly 'set-aside': { readonly files: number; readonly codes: string };
  /** ISO times: by when the drop was expected, and when the source last sent one; null: never. */
  readonly 'drop-missing': { readonly expectedBy: string; readonly latestAt: string | null };
  readonly 'drop-small': DropSize;
  readonly 'drop-large': DropSize;
  readonly 'environment-down': OutageFacts;
  readonly 'credentials-refused': OutageFacts;
  /** `endsAt` is null once the time has passed, and rows that came before it still wait. */
  readonly late: { readonly rows: number; readonly deliverBy: string; readonly endsAt: string | null };
  /** A run, and how many of its control equations don't hold. */
  readonly unbalanced: { readonly run: number; readonly equations: number };
  /** `error` is a sentence of our own, with what a system call said at most. */
  readonly 'channel-failing': { readonly since: string; readonly tries: number; readonly error: string };
}

interface DropSize {
  readonly rows: number;
  /** The median of the drops before it. */
  readonly usual: number;
}

interface OutageFacts {
  readonly fault: PlacedFault['code'];
  readonly host: PlacedFault['host'];
  /** As the address has it, with its port. */
  readonly hostName: string;
  readonly since: string;
  /** When the platform last answered before that; null: never. */
  readonly workedUntil: string | null;
  /** Rows that wait for its end. */
  readonly waiting: number;
}

/** Something that people are to know about, as it is found now. There is one of a kind, a subject and a code. */
export interface ConditionOf<Kind extends AlertKind> {
  readonly kind: Kind;
  /** A source, an environment or a channel; `ledger` for the books. */
  readonly subject: string;
  /** Which of the subject: the code of a cause, an operation; else ''. */
  readonly code: string;
  readonly facts: AlertFacts[Kind];
}

/** A condition of any kind. */
export type Condition = { readonly [Kind in AlertKind]: ConditionOf<Kind> }[AlertKind];

/** What a condition is about, without its facts. */
export type AlertKey = Pick<Condition, 'kind' | 'subject' | 'code'>;

/** A condition from when it was first found until it has been over for `recoverAfter`. ISO times. */
export type Alert = Condition & {
  readonly alertId: number;
  readonly openedAt: string;
  /** When it was last found. */
  readonly lastSeenAt: string;
  /** When it was over: an outage by its own record, anything else when it was last found; null while it is found. */
  readonly overAt: string | null;
  /** When the alert was closed; null while it is open. */
  readonly closedAt: string | null;
};

/** When an open alert that is not found any more closes, unless it returns. In milliseconds since 1970. */
export function closesAtMs({ lastSeenAt }: Pick<Alert, 'lastSeenAt'>, recoverAfterMs: number): number {
  return msFromIso(lastSeenAt) + recoverAfterMs;
}

/** True for two conditions about the same thing. */
export function isSameAlert(one: AlertKey, other: AlertKey): boolean {
  return one.kind === other.kind && one.subject === other.subject && one.code === other.code;
}
