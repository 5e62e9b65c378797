import { type ExitName, worstExit } from '../operator-error.js';

/** What can be healthy or not, in the order in which people read of it. */
export const HEALTH_PARTS = [
  'configuration',
  'ledger',
  'disk',
  'books',
  'service',
  'schedule',
  'backup',
  'inbox',
  'file',
  'environment',
  'deadline',
  'quota',
  'decision',
  'channel',
] as const;

export type HealthPart = (typeof HEALTH_PARTS)[number];

/** The table in docs/monitoring.md explains each, and is compared with this list. */
export const HEALTH_CODES = [
  'configuration-invalid',
  'ledger-missing',
  'ledger-locked',
  'ledger-unusable',
  'disk-full',
  'unbalanced',
  'service-gone',
  'service-stopped',
  'service-missing',
  'run-failed',
  'line-failed',
  'line-died',
  'line-overdue',
  'backup-folder',
  'backup-faulty',
  'inbox-unreadable',
  'inbox-unmounted',
  'inbox-away',
  'file-waiting',
  'file-interrupted',
  'file-unmatched',
  'file-refused',
  'file-late',
  'paused',
  'results-waiting',
  'outage',
  'environment-missing',
  'rows-abandoned',
  'deadline',
  'quota-paused',
  'decision-interrupted',
  'restore-open',
  'channel-failing',
] as const;

/** A code alone, or followed by an operation or the number of a decision. */
export type HealthCode = (typeof HEALTH_CODES)[number] | `${'outage' | 'decision-interrupted'}:${string}`;

/** `degraded`: it works, and late or not all of it. `failed`: it doesn't work until something changes. */
export type HealthState = 'healthy' | 'degraded' | 'failed';

/** The subject where there is one of a kind. */
export const WORKSPACE = 'registrar';

/** One thing of a part: a source's inbox, an environment, a line of the schedule. */
export interface HealthSubject {
  readonly part: HealthPart;
  /** A name of registrar.yaml; `registrar` where there is one of a kind. Never personal. */
  readonly subject: string;
}

/** Nothing of it is personal or secret. */
export interface HealthFinding extends HealthSubject {
  readonly state: Exclude<HealthState, 'healthy'>;
  /** Two findings of one subject have different codes. */
  readonly code: HealthCode;
  /** ISO time; null: unknown. */
  readonly since: string | null;
  /** ISO time until which it is known to have worked; null: unknown. */
  readonly lastGoodAt: string | null;
  /** One sentence with its full stop. */
  readonly message: string;
  /** What to do, in sentences; '' where it ends by itself. */
  readonly remedy: string;
  readonly exit: ExitName;
}

/** Whether all that a workspace needs is healthy: one answer, shown wherever health is shown. */
export type Health = ReturnType<typeof healthFrom>;

/** What is wrong, in words. What isn't given is unknown, and the finding needs attention. */
export type Fault = Pick<HealthFinding, 'code' | 'message' | 'remedy'> &
  Partial<Pick<HealthFinding, 'lastGoodAt' | 'exit'>> & { readonly since?: string | null | undefined };

export function finding(
  part: HealthPart,
  subject: string,
  state: HealthFinding['state'],
  fault: Fault,
): HealthFinding {
  return { part, subject, state, lastGoodAt: null, exit: 'attention', ...fault, since: fault.since ?? null };
}

/** The code of an outage. @param operation null: of the whole environment. */
export function outageCode(operation: string | null): HealthCode {
  return operation === null ? 'outage' : `outage:${operation}`;
}

export function isOutageCode(code: string): boolean {
  return code.split(':')[0] === 'outage';
}

/** The operation of an outage's code; null: it is of the whole environment. */
export function outageOperation(code: string): string | null {
  return code.split(':')[1] ?? null;
}

/** @param subjects everything that was looked at. @param unknown those of them of which nothing is known now. */
export function healthFrom(
  findings: readonly HealthFinding[],
  subjects: readonly HealthSubject[],
  unknown: readonly HealthSubject[],
) {
  const inOrder = <T extends HealthSubject>(all: readonly T[]): readonly T[] =>
    all.toSorted((a, b) => HEALTH_PARTS.indexOf(a.part) - HEALTH_PARTS.indexOf(b.part));
  const others = [...findings, ...unknown];
  const isFailed = findings.some(({ state }) => state === 'failed');
  const state: HealthState = isFailed ? 'failed' : findings.length > 0 ? 'degraded' : 'healthy';
  return {
    state,
    exit: worstExit(findings.map(({ exit }) => exit)),
    findings: inOrder(findings),
    /** Known nothing of now: what was found before stays true until more is known. */
    unknown,
    healthy: inOrder(subjects.filter((one) => !others.some((other) => isSameSubject(one, other)))),
  };
}

function isSameSubject(one: HealthSubject, other: HealthSubject): boolean {
  return one.part === other.part && one.subject === other.subject;
}
