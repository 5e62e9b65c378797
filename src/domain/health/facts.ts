import type { RunEnd } from '../process/run.js';
import type { HealthCode } from './health.js';

/** A fault of something of which there is one, in words. */
export interface Fault {
  readonly code: HealthCode;
  /** One sentence with its full stop. */
  readonly message: string;
  readonly remedy: string;
  /** Since when; null or absent where nothing knows it. */
  readonly since?: string | null;
}

/** What health is judged by. Times are ISO; names are those of registrar.yaml. */
export interface HealthFacts {
  readonly nowMs: number;
  /** The mistakes of registrar.yaml as it is on the disk now. */
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
  /** How many of its files no source takes, unreadable ones included. */
  readonly unmatched: number;
  /** When the files that a run would import arrived. */
  readonly arrivedAt: readonly string[];
  /** When files whose import was interrupted left the inbox. */
  readonly claimedAt: readonly string[];
}

export interface WorkFacts {
  readonly services: readonly ServiceFacts[];
  /** Why a service is expected although none has signed on: lines of the schedule, a unit of systemd; null: none is. */
  readonly serviceExpectedBy: 'schedule' | 'unit' | null;
  /** How the latest run ended; null: none has. */
  readonly latestRun: { readonly end: RunEnd; readonly at: string } | null;
  /** When a run last ended, or a service was last seen; null: never. */
  readonly lastSignAt: string | null;
  readonly lines: readonly LineFacts[];
  /** Faults of the last tested backup, and of the folders that lines of the schedule copy it to. */
  readonly backups: readonly (Fault & { readonly subject: string; readonly since: string | null })[];
  /** The latest run whose books don't balance now, and the number of files that don't; null: they balance. */
  readonly unbalanced: { readonly run: number | null; readonly files: number } | null;
  readonly sources: readonly SourceFacts[];
  readonly outages: readonly OutageFacts[];
  readonly environments: readonly EnvironmentFacts[];
  /** Rows that wait for environments which registrar.yaml doesn't have. */
  readonly stranded: readonly { readonly environment: string; readonly rows: number }[];
  /** Decisions that are not carried out to their end. */
  readonly decisions: readonly DecisionFacts[];
  readonly channels: readonly ChannelFacts[];
}

/** A service that has signed on, and not off, or the last one that did. */
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

/** What came in from a source. */
export interface SourceFacts {
  readonly source: string;
  /** When the oldest open refused file came in, and how many there are; null: none. */
  readonly refused: {
    readonly since: string;
    readonly files: number;
    /** Of the refusals. */
    readonly codes: readonly string[];
  } | null;
  /** By when a file was expected that hasn't come, and when the latest one came (null: none ever has); null: none is missing. */
  readonly missing: { readonly since: string; readonly latestAt: string | null } | null;
  /** Results that can't be delivered to their target, since when, and why, as a sentence without its full stop; null: none. */
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
  /** The end of a sentence. */
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

/** The deadline of the rows that have waited longest. */
export interface DeadlineFacts {
  /** As registrar.yaml has it. */
  readonly time: string;
  readonly at: string;
  /** Rows that were due by it and are not delivered. */
  readonly rows: number;
  readonly isMissed: boolean;
  /** How much later they will be delivered than by `at`, as estimated; 0: in time; null: unknown. */
  readonly lateByMs: number | null;
}

export interface DecisionFacts {
  readonly decisionId: number;
  readonly kind: string;
  readonly madeAt: string;
  /** False while a living process carries it out. */
  readonly isInterrupted: boolean;
}

/** A channel with notifications that it doesn't take. */
export interface ChannelFacts {
  readonly channel: string;
  readonly since: string;
  readonly tries: number;
  /** The end of a sentence about the channel. */
  readonly error: string;
}
