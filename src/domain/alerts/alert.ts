import type { Cause } from '../cause.js';
import { msFromIso } from '../clock.js';
import { HEALTH_PARTS, type HealthFinding, type HealthPart } from '../health/health.js';
import type { IssueCode } from '../issue.js';
import type { RunTrigger } from '../process/run.js';
import type { State } from '../submission.js';

/** Rows, or a part whose health has a finding. A test compares the settings and has the ledger take each kind. */
export const ALERT_KINDS = [
  // Rows of a source need attention for a cause.
  'cause',
  // A large share of the rows that a source sent lately needs attention.
  'share',
  // A run has ended. It is over at once, and only channels that name this kind send it.
  'run',
  ...HEALTH_PARTS,
] as const;

export type AlertKind = (typeof ALERT_KINDS)[number];

export const NOTIFICATION_EVENTS = ['opened', 'recovered'] as const;

export type NotificationEvent = (typeof NOTIFICATION_EVENTS)[number];

/** Numbers and codes, never personal: the ledger keeps them, and channels show them. */
export type AlertFacts = {
  readonly cause: {
    readonly rows: number;
    readonly state: State | 'invalid';
    readonly cause: Cause | IssueCode;
  };
  readonly run: { readonly trigger: RunTrigger; readonly files: number; readonly rows: number };
  readonly share: { readonly rows: number; readonly attention: number; readonly percent: number };
} & { readonly [Part in HealthPart]: FindingFacts };

type FindingFacts = Pick<HealthFinding, 'state' | 'since' | 'lastGoodAt' | 'message' | 'remedy'>;

/** Unique by kind, subject and code. */
export interface ConditionOf<Kind extends AlertKind> {
  readonly kind: Kind;
  /** A source, the number of a run, or the subject of a finding of health. */
  readonly subject: string;
  /** The code of a cause or a finding, the end of a run; else ''. */
  readonly code: string;
  readonly facts: AlertFacts[Kind];
}

export type Condition = { readonly [Kind in AlertKind]: ConditionOf<Kind> }[AlertKind];

/** An alert in words, without anything personal. */
export interface AlertWords {
  /** "academy: 412 rows need attention (learner-unknown)" */
  readonly title: string;
  /** '' where the title says all. */
  readonly text: string;
  /** '' where nothing is to be done, as for an alert that is over. */
  readonly remedy: string;
  /** The command for that; null: there is none. */
  readonly command: string | null;
}

/** What a condition is about, without its facts. */
export type AlertKey = Pick<Condition, 'kind' | 'subject' | 'code'>;

/** A condition from when it was first found until it has been over for `recoverAfter`. ISO times. */
export type Alert = Condition & {
  readonly alertId: number;
  readonly openedAt: string;
  readonly lastSeenAt: string;
  /** An outage by its own record, anything else when it was last found; null while it is found. */
  readonly overAt: string | null;
  /** null while it is open. */
  readonly closedAt: string | null;
};

/** For an open alert that is not found any more. */
export function closesAtMs({ lastSeenAt }: Pick<Alert, 'lastSeenAt'>, recoverAfterMs: number): number {
  return msFromIso(lastSeenAt) + recoverAfterMs;
}

/** `inbox academy inbox-late` */
export function alertName({ kind, subject, code }: AlertKey): string {
  return `${kind} ${subject} ${code === '' ? '-' : code}`;
}

export function isSameAlert(one: AlertKey, other: AlertKey): boolean {
  return one.kind === other.kind && one.subject === other.subject && one.code === other.code;
}
