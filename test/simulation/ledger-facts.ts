import type { EnvironmentConfig } from '../../src/config/schema.js';
import type { LifeAnswer, LifeAttempt } from '../../src/documents/trace.js';
import type { RequestPurpose } from '../../src/domain/environment/gate.js';
import type { State } from '../../src/domain/submission.js';
import type { LifeTransition } from '../../src/ledger/trace/submission-life.js';

/** A submission as the ledger's trace had it when it was last seen to have changed. */
export interface SubmissionFact {
  readonly id: number;
  readonly environment: string;
  readonly slot: string;
  readonly key: string;
  readonly learner: string;
  readonly revision: number;
  readonly occurredAt: string;
  /** Its record in the words of the request. */
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly dropId: number;
  /** The name of its drop's file. */
  readonly file: string;
  /** ISO time at which its drop was published. */
  readonly publishedAt: string;
  readonly state: State;
  readonly priority: number;
  readonly nextAttemptAt: string | null;
  /** All that happened to it, in order. */
  readonly transitions: readonly LifeTransition[];
  readonly attempts: readonly LifeAttempt[];
}

export interface TransitionFact extends LifeTransition {
  readonly submissionId: number;
}

export interface AttemptFact {
  readonly id: number;
  readonly environment: string;
  readonly runId: number;
  readonly submissionId: number;
}

export interface AnswerFact extends LifeAnswer {
  readonly attemptId: number;
}

/** A permit that a process was given. */
export interface PermitFact {
  readonly id: number;
  readonly clientId: string;
  readonly purpose: RequestPurpose;
  /** The longest that its request may take. */
  readonly deadlineMs: number;
  /** How many permits of the client id were taken then, this one among them. */
  readonly permitsTaken: number;
}

/** The first request after a pause. */
export interface PauseProbe {
  readonly permitId: number;
  /** When its permit was taken, in virtual time. */
  readonly atMs: number;
  readonly deadlineMs: number;
}

/** What has happened in the ledger since the last look, all of it at one moment of virtual time. */
export interface News {
  /** Virtual time. */
  readonly atMs: number;
  /** The wall clock's time. */
  readonly wallMs: number;
  readonly transitions: readonly TransitionFact[];
  readonly attempts: readonly AttemptFact[];
  /** Requests for rows that no published drop has. */
  readonly strays: readonly number[];
  readonly answers: readonly AnswerFact[];
  readonly permits: readonly PermitFact[];
  /** The submissions that changed, as they were before. */
  readonly before: ReadonlyMap<number, SubmissionFact>;
}

/** The observed facts of a world: its ledger, and what its platforms received. */
export interface Facts {
  readonly configs: Readonly<Record<string, EnvironmentConfig>>;
  /** Names of the files whose source sends corrections of what was accepted. */
  readonly amending: ReadonlySet<string>;
  /** Those of published drops. */
  readonly submissions: Map<number, SubmissionFact>;
  /** Ids by slot. */
  readonly slots: Map<string, number[]>;
  /** Ids by environment and record as it is sent. */
  readonly byRecord: Map<string, number>;
  readonly attempts: Map<number, AttemptFact>;
  /** Learners on hold (`learnerKey`). */
  readonly onHold: Set<string>;
  /** Drops of which rows are held because the first ones were refused. */
  readonly stoppedDrops: Set<number>;
  /** The runs that have made attempts in an environment, in the order in which each began to. */
  readonly pushes: Map<string, number[]>;
  /** The process that a run is of. */
  readonly processOf: Map<number, string>;
  /** How often a platform wrote a record, by environment and record as it was sent. */
  readonly writes: Map<string, number>;
  /** The same by what makes two completions one for the platform. */
  readonly identities: Map<string, number>;
  /**
   * Moments by the platforms' clock at which requests of a client id were read, and how long they had lain there because
   * the platform stalled.
   */
  readonly arrivals: Map<string, { readonly atMs: number; readonly lateMs: number }[]>;
  /** Until when, in virtual time, a 429 keeps a client id quiet. */
  readonly quietUntil: Map<string, number>;
  /** The permit of the first request after a pause, while its outcome is unknown; by client id. */
  readonly pauseProbes: Map<string, PauseProbe>;
  /** Places whose request never left: no process waits for its outcome. */
  readonly unusedPlaces: Set<number>;
  /** Faults in a row that one push of one run has met; by run and environment. */
  readonly faults: Map<string, number>;
  /** Pushes in which the platform has given a sound answer. */
  readonly proven: Set<string>;
  /** Attempts that began while their push had met so many faults that the environment counts as down. */
  readonly probes: Set<number>;
  /** Until when, in virtual time, the Retry-After of a passing fault keeps a row back that is to be tried again. */
  readonly notBefore: Map<number, number>;
  /** Since when a push has got nothing but 429, in virtual time (null: it hasn't), and for how long at most; by run and environment. */
  readonly throttled: Map<string, { readonly sinceMs: number | null; readonly longestMs: number }>;
  /** Requests of a row, since a person or its learner gave it new patience, that it may have been written by without being accepted. */
  readonly doubtful: Map<number, number>;
  /** Answers that a living process got and has not yet kept, by the process. */
  readonly unkept: Map<string, number>;
  /** The wall clock was set: what was due by it may not be so any more. */
  wallWasSet: boolean;
  /** How often a 401 came with a token, by process and token. */
  readonly refusals: Map<string, number>;
  /** The rows that a rerun chose, by its decision. */
  readonly chosen: Map<number, ReadonlySet<number>>;
  /** The decision whose rows alone a run delivers, by run. */
  readonly chosenBy: Map<number, number>;
}

export function newFacts(
  configs: Readonly<Record<string, EnvironmentConfig>>,
  amending: ReadonlySet<string>,
): Facts {
  return {
    configs,
    amending,
    submissions: new Map(),
    slots: new Map(),
    byRecord: new Map(),
    attempts: new Map(),
    onHold: new Set(),
    stoppedDrops: new Set(),
    pushes: new Map(),
    processOf: new Map(),
    writes: new Map(),
    identities: new Map(),
    arrivals: new Map(),
    quietUntil: new Map(),
    pauseProbes: new Map(),
    unusedPlaces: new Set(),
    faults: new Map(),
    proven: new Set(),
    probes: new Set(),
    notBefore: new Map(),
    throttled: new Map(),
    doubtful: new Map(),
    unkept: new Map(),
    wallWasSet: false,
    refusals: new Map(),
    chosen: new Map(),
    chosenBy: new Map(),
  };
}

/** A record in the words of the request, to find what a request is about. */
export function recordKey(environment: string, attributes: unknown): string {
  return `${environment} ${JSON.stringify(attributes)}`;
}

/** The identity of a completion to the platform, whatever its score. */
export function identityKey(environment: string, attributes: unknown): string {
  const { percentile: _, ...rest } = attributes as { percentile?: unknown };
  return `${environment} ${JSON.stringify(rest)}`;
}

/** @param learner the ledger's hash. */
export function learnerKey(environment: string, learner: string): string {
  return `${environment} ${learner}`;
}

/** True where the platform may have carried the request out, though it hasn't said so: by what came back alone. */
export function isDoubtful({ outcome, status, failure }: LifeAnswer): boolean {
  if (status === null) return failure !== 'ECONNREFUSED' && outcome === 'unknown';
  return (status >= 500 || status < 300) && outcome !== 'accepted';
}

/** Adds one to a count. */
export function countOne(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
