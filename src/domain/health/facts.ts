import type { RunEnd } from '../process/run.js';
import type { HealthCode } from './health.js';

export interface Fault {
  readonly code: HealthCode;
  /** One sentence with its full stop. */
  readonly message: string;
  readonly remedy: string;
  /** Since when; null or absent where nothing knows it. */
  readonly since?: string | null;
}

/** Times are ISO; names are those of registrar.yaml. */
export interface HealthFacts {
  readonly nowMs: number;
  readonly configuration: readonly string[];
  /** Why the ledger can't be read or written; null: it can. */
  readonly ledger: Fault | null;
  readonly disk: Fault | null;
  readonly paused: readonly PausedFacts[];
  readonly inboxes: readonly InboxFacts[];
  /** null where the ledger can't be read, or there has never been one. */
  readonly work: WorkFacts | null;
}

/** A source, an environment or a line of the schedule that registrar.yaml pauses. */
export interface PausedFacts {
  readonly part: 'file' | 'environment' | 'schedule';
  readonly subject: string;
  /** As registrar.yaml has it. */
  readonly because: string;
}

export interface InboxFacts {
  readonly source: string;
  /** Why it can't be read; null: it can. */
  readonly fault: Fault | null;
  /** That no source takes, unreadable ones included. */
  readonly unmatched: number;
  /** Of files that a run would import. */
  readonly arrivedAt: readonly string[];
  /** Of files whose import was interrupted. */
  readonly claimedAt: readonly string[];
}

export interface WorkFacts {
  readonly services: readonly ServiceFacts[];
  /** By lines of the schedule, or a unit of systemd; null: none is expected. */
  readonly serviceExpectedBy: 'schedule' | 'unit' | null;
  /** How the latest run ended; null: none has. */
  readonly latestRun: { readonly end: RunEnd; readonly at: string } | null;
  /** When a run last ended, or a service was last seen; null: never. */
  readonly lastSignAt: string | null;
  readonly lines: readonly LineFacts[];
  /** Of the last tested backup, and of the folders of backups. */
  readonly backups: readonly (Fault & { readonly subject: string; readonly since: string | null })[];
  /** The latest run and the number of files that don't balance; null: the books balance. */
  readonly unbalanced: { readonly run: number | null; readonly files: number } | null;
  readonly sources: readonly SourceFacts[];
  readonly outages: readonly OutageFacts[];
  readonly environments: readonly EnvironmentFacts[];
  readonly stranded: readonly { readonly environment: string; readonly rows: number }[];
  readonly decisions: readonly DecisionFacts[];
  readonly channels: readonly ChannelFacts[];
}

/** Signed on, and not off, or the last one that did. */
export interface ServiceFacts {
  readonly pid: number;
  readonly host: string;
  readonly seenAt: string;
  /** null: it hasn't signed off. */
  readonly stoppedAt: string | null;
  readonly isAlive: boolean;
}

export interface LineFacts {
  readonly job: string;
  /** The latest slot, and whether it failed; null: none was worked on. */
  readonly latest: { readonly at: string; readonly hasFailed: boolean; readonly hasDied: boolean } | null;
  /** The first of several overdue slots; null: no slot is overdue. */
  readonly overdueSince: string | null;
}

export interface SourceFacts {
  readonly source: string;
  /** `since`: the oldest open one came in; null: none. */
  readonly refused: {
    readonly since: string;
    readonly files: number;
    readonly codes: readonly string[];
  } | null;
  /** `since`: when a file was expected; `latestAt`: the latest one came; null: none is missing. */
  readonly missing: { readonly since: string; readonly latestAt: string | null } | null;
  /** That can't be delivered; `error` is a sentence without its full stop. */
  readonly results: {
    readonly since: string;
    readonly count: number;
    readonly place: string;
    readonly error: string;
  } | null;
}

export interface OutageFacts {
  readonly environment: string;
  /** null: the whole environment. */
  readonly operation: string | null;
  readonly since: string;
  /** When a request was last answered well before it; null: never. */
  readonly workedUntil: string | null;
  readonly waiting: number;
  /** The end of a sentence, as a channel's `error`. */
  readonly reason: string;
  readonly remedy: string;
}

export interface EnvironmentFacts {
  readonly environment: string;
  /** Rows that were being sent when their process died. */
  readonly abandoned: number;
  readonly pausedForMs: number;
  readonly periodMs: number;
  readonly deadline: DeadlineFacts | null;
}

export interface DeadlineFacts {
  /** As registrar.yaml has it. */
  readonly time: string;
  readonly at: string;
  readonly rows: number;
  readonly isMissed: boolean;
  /** Estimated, after `at`; 0: in time; null: unknown. */
  readonly lateByMs: number | null;
}

export interface DecisionFacts {
  readonly decisionId: number;
  readonly kind: string;
  readonly madeAt: string;
  /** False while a living process carries it out. */
  readonly isInterrupted: boolean;
}

export interface ChannelFacts {
  readonly channel: string;
  readonly since: string;
  readonly tries: number;
  /** The end of a sentence about the channel. */
  readonly error: string;
}
