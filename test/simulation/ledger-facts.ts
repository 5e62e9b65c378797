import { hash } from 'node:crypto';
import type { Database } from 'better-sqlite3';
import type { EnvironmentConfig } from '../../src/config/schema.js';
import type { OutcomeKind } from '../../src/domain/outcome.js';
import type { State, SubmissionEvent } from '../../src/domain/submission.js';

/** A submission as the ledger had it after the last commit. */
export interface SubmissionFact {
  readonly id: number;
  readonly environment: string;
  readonly slot: string;
  readonly key: string;
  readonly learner: string;
  readonly revision: number;
  readonly occurredAt: string;
  readonly record: string;
  readonly dropId: number;
  readonly state: State;
  readonly pass: 'amended' | 'all' | null;
  readonly priority: number;
  readonly tries: number;
  readonly resends: number;
  readonly repeats: number;
  readonly nextAttemptAt: string | null;
  /** What happened to it last; null: nothing since it was staged. */
  readonly lastEvent: SubmissionEvent | null;
}

export interface TransitionFact {
  readonly id: number;
  readonly submissionId: number;
  readonly from: State;
  readonly event: SubmissionEvent;
  readonly to: State;
  readonly attemptId: number | null;
}

export interface AttemptFact {
  readonly id: number;
  readonly environment: string;
  readonly runId: number;
  readonly leaseToken: number;
  readonly submissionId: number;
}

export interface ResponseFact {
  readonly id: number;
  readonly attemptId: number;
  readonly late: 0 | 1;
  readonly outcome: OutcomeKind;
  readonly status: number | null;
  readonly failure: string | null;
  /** What the platform said beside its status, where it said something. */
  readonly detail: string | null;
  readonly headers: string | null;
}

export interface SlotFact {
  readonly id: number;
  readonly client: string;
  readonly purpose: 'token' | 'push' | 'rerun';
}

/** What one commit has added and changed. */
export interface Commit {
  /** The owner id of the process that committed. */
  readonly by: string;
  /** Virtual time. */
  readonly atMs: number;
  /** What the wall clock says. */
  readonly wallMs: number;
  readonly transitions: readonly TransitionFact[];
  readonly attempts: readonly AttemptFact[];
  readonly responses: readonly ResponseFact[];
  readonly slots: readonly SlotFact[];
  /** The submissions that it moved, as they were before. */
  readonly before: ReadonlyMap<number, SubmissionFact>;
}

/** All that has been seen of a world: what its ledger says, and what its platforms got. */
export interface Facts {
  readonly sqlite: Database;
  readonly configs: Readonly<Record<string, EnvironmentConfig>>;
  readonly submissions: Map<number, SubmissionFact>;
  /** Ids by slot. */
  readonly slots: Map<string, number[]>;
  /** Ids by environment and record as it is sent. */
  readonly byRecord: Map<string, number>;
  readonly attempts: Map<number, AttemptFact>;
  /** How often a platform wrote a record, by environment and record as it was sent. */
  readonly writes: Map<string, number>;
  /** The same by what makes two completions one for the platform. */
  readonly identities: Map<string, number>;
  /**
   * Moments by the platforms' clock at which requests of a client id were read, and how long they had lain there because
   * the platform stood still.
   */
  readonly arrivals: Map<string, { readonly atMs: number; readonly lateMs: number }[]>;
  /** Until when, in virtual time, a 429 keeps a client id quiet. By the ledger's name of the client id. */
  readonly quietUntil: Map<string, number>;
  /** The place of the first request after a pause, while nobody knows what came of it. By the ledger's name of the client id. */
  readonly pauseProbes: Map<string, { readonly slotId: number; readonly atMs: number }>;
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
  /** The decision whose rows alone a run delivers, by run. */
  readonly chosenBy: Map<number, number>;
  /** Who made attempts under a lease's token. */
  readonly tokenOwners: Map<string, string>;
}

export function newFacts(sqlite: Database, configs: Readonly<Record<string, EnvironmentConfig>>): Facts {
  return {
    sqlite,
    configs,
    submissions: new Map(),
    slots: new Map(),
    byRecord: new Map(),
    attempts: new Map(),
    writes: new Map(),
    identities: new Map(),
    arrivals: new Map(),
    quietUntil: new Map(),
    pauseProbes: new Map(),
    faults: new Map(),
    proven: new Set(),
    probes: new Set(),
    notBefore: new Map(),
    throttled: new Map(),
    doubtful: new Map(),
    unkept: new Map(),
    wallWasSet: false,
    refusals: new Map(),
    chosenBy: new Map(),
    tokenOwners: new Map(),
  };
}

/** A record in the words of the request, to find what a request is about. */
export function recordKey(environment: string, attributes: unknown): string {
  return `${environment} ${JSON.stringify(attributes)}`;
}

/** What the platform takes for one and the same completion, whatever its score. */
export function identityKey(environment: string, attributes: unknown): string {
  const { percentile: _, ...rest } = attributes as { percentile?: unknown };
  return `${environment} ${JSON.stringify(rest)}`;
}

/** The ledger's name of a client id. */
export function clientName(clientId: string): string {
  return hash('sha256', `client/${clientId}`, 'hex').slice(0, 16);
}

/** Reads what is new in the ledger since it was last asked; all that was moved is read again. */
export function ledgerReader(facts: Facts): (by: string, atMs: number, wallMs: number) => Commit {
  const { sqlite } = facts;
  const submissions = sqlite.prepare(
    `select ${SUBMISSION} from submission where submission_id > ? order by submission_id`,
  );
  const submission = sqlite.prepare(`select ${SUBMISSION} from submission where submission_id = ?`);
  const transitions = sqlite.prepare(
    `select transition_id as id, submission_id as submissionId, from_state as "from", event, to_state as "to",
       attempt_id as attemptId from transition where transition_id > ? order by transition_id`,
  );
  const attempts = sqlite.prepare(
    `select a.attempt_id as id, a.environment, a.run_id as runId, a.lease_token as leaseToken,
       x.submission_id as submissionId
     from attempt a join attempt_submission x using (attempt_id) where a.attempt_id > ? order by a.attempt_id`,
  );
  const responses = sqlite.prepare(
    `select response_id as id, attempt_id as attemptId, late, outcome, status, failure, headers, t.detail
     from response left join response_text t using (response_id) where response_id > ? order by response_id`,
  );
  const slots = sqlite.prepare(
    'select quota_slot_id as id, client, purpose from quota_slot where quota_slot_id > ? order by quota_slot_id',
  );
  const seen = { submission: 0, transition: 0, attempt: 0, response: 0, slot: 0 };
  return (by, atMs, wallMs) => {
    const added = submissions.all(seen.submission) as SubmissionFact[];
    for (const fact of added) {
      facts.submissions.set(fact.id, fact);
      facts.slots.set(fact.slot, [...(facts.slots.get(fact.slot) ?? []), fact.id]);
      facts.byRecord.set(recordKey(fact.environment, JSON.parse(fact.record)), fact.id);
    }
    const commit = {
      by,
      atMs,
      wallMs,
      transitions: transitions.all(seen.transition) as TransitionFact[],
      attempts: attempts.all(seen.attempt) as AttemptFact[],
      responses: responses.all(seen.response) as ResponseFact[],
      slots: slots.all(seen.slot) as SlotFact[],
      before: new Map<number, SubmissionFact>(),
    };
    for (const { submissionId } of commit.transitions) {
      const before = facts.submissions.get(submissionId);
      if (before && !commit.before.has(submissionId)) commit.before.set(submissionId, before);
    }
    for (const id of commit.before.keys()) facts.submissions.set(id, submission.get(id) as SubmissionFact);
    for (const attempt of commit.attempts) facts.attempts.set(attempt.id, attempt);
    seen.submission = added.at(-1)?.id ?? seen.submission;
    seen.transition = commit.transitions.at(-1)?.id ?? seen.transition;
    seen.attempt = commit.attempts.at(-1)?.id ?? seen.attempt;
    seen.response = commit.responses.at(-1)?.id ?? seen.response;
    seen.slot = commit.slots.at(-1)?.id ?? seen.slot;
    return commit;
  };
}

const SUBMISSION = `submission_id as id, environment, hex(slot) as slot, hex(key) as key, hex(learner) as learner, revision,
  occurred_at as occurredAt, record, drop_id as dropId, state, pass, priority, tries, resends, repeats,
  next_attempt_at as nextAttemptAt, (select event from transition t where t.submission_id = submission.submission_id
    order by transition_id desc limit 1) as lastEvent`;

/** Adds one to a count. */
export function countOne(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
