import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Clock } from '../../src/domain/clock.js';
import type { Outcome } from '../../src/domain/outcome.js';
import type { NormalisedRecord } from '../../src/domain/record.js';
import { type Answer, type AnswerPolicy, recordAnswer } from '../../src/ledger/answers.js';
import { type Claim, type ClaimedSubmission, claim, findDue } from '../../src/ledger/claims.js';
import { beginDrop, publishDrop } from '../../src/ledger/drops.js';
import { keyMaker } from '../../src/ledger/keys.js';
import { isLease, type Lease, type LeaseName, releaseLease, takeLease } from '../../src/ledger/leases.js';
import { closeLedger, openLedger } from '../../src/ledger/open.js';
import { type Owner, thisProcess } from '../../src/ledger/owner.js';
import { packRows } from '../../src/ledger/pack-rows.js';
import { first, type Ledger, query } from '../../src/ledger/query.js';
import { beginRun } from '../../src/ledger/runs.js';
import { type PreparedRow, settleDrop, stagePrepared } from '../../src/ledger/staging.js';
import type { Operation } from '../../src/operations/operation.js';
import { submitCompletion } from '../../src/operations/submit-completion.js';
import { manualClock } from './manual-clock.js';
import { type Completion, preparedCompletion, READ_AS_CSV } from './prepared-completion.js';
import { tempFolder } from './temp-folder.js';

/** A ledger in a file of its own, closed when the test ends. */
export function testLedger(clock: Clock = manualClock()): Ledger {
  const ledger = openLedger(join(tempFolder(), 'registrar.db'), clock);
  onTestFinished(() => closeLedger(ledger));
  return ledger;
}

let files = 0;

/** Stages completions as one published drop, one line each from line 2 on. */
export function stage(
  ledger: Ledger,
  completions: readonly Completion[],
  options: {
    publish?: boolean;
    sendAmendments?: boolean;
    environment?: string;
    /** The order they are written in; absent: line by line. */
    inOrder?: (rows: readonly PreparedRow[]) => readonly PreparedRow[];
  } = {},
): { dropId: number; runId: number } {
  const environment = options.environment ?? 'main';
  const rows = completions.map((completion, index) =>
    preparedCompletion(ledger, completion, index + 2, environment),
  );
  return stageRows(ledger, submitCompletion, rows, { ...options, environment });
}

/** Stages records of any operation as one published drop, one line each from line 2 on. */
export function stageRecords(
  ledger: Ledger,
  operation: Operation,
  records: readonly NormalisedRecord['fields'][],
): { dropId: number; runId: number } {
  const keys = keyMaker(ledger.salt);
  const rows = records.map((fields, index) => ({
    kind: 'record' as const,
    line: index + 2,
    record: JSON.stringify(fields),
    keys: keys.record(operation, 'main', { fields }),
    occurredAt: null,
  }));
  return stageRows(ledger, operation, rows, { environment: 'main' });
}

function stageRows(
  ledger: Ledger,
  operation: Operation,
  rows: readonly (PreparedRow & { kind: 'record' })[],
  options: Parameters<typeof stage>[2] & { environment: string },
): { dropId: number; runId: number } {
  files += 1;
  const { environment } = options;
  const runId = beginRun(ledger, 'manual', thisProcess(), 'test');
  const lease = mustLease(ledger, 'stage');
  const dropId = beginDrop(
    ledger,
    {
      source: 'academy',
      identity: { sha256: files.toString(16).padStart(64, '0'), bytes: 1 },
      fileName: `drop-${files}.csv`,
      operation: operation.name,
      environment,
      runId,
      isLeft: false,
    },
    READ_AS_CSV,
  );
  const target = {
    dropId,
    operation,
    environment,
    sendAmendments: options.sendAmendments ?? false,
  };
  const read = rows.map(({ line, record }) => ({ line, cells: Object.values(JSON.parse(record) as object) }));
  if (rows.length > 0) {
    const written = options.inOrder?.(rows) ?? rows;
    stagePrepared(ledger, lease, target, { rows: written, blocks: [packRows(read, () => true)] });
  }
  if (options.publish !== false) {
    publishDrop(ledger, lease, dropId, { rowsRead: rows.length });
    Array.from(settleDrop(ledger, dropId, runId));
  }
  releaseLease(ledger, lease);
  return { dropId, runId };
}

/** The lease, which nobody else may hold in the test. */
export function mustLease(ledger: Ledger, name: LeaseName, owner: Owner = thisProcess()): Lease {
  const taken = takeLease(ledger, name, owner, null);
  if (!isLease(taken)) throw new Error(`${name} is held by ${taken.pid}`);
  return taken;
}

export const TEST_POLICY: AnswerPolicy = {
  maxTries: 3,
  maxResends: 2,
  onUnknown: 'resend',
  backOffMs: () => 1_000,
  spendTries: true,
};

/** An answer with a status, as the platform client would give it. */
export function answerOf(outcome: Outcome, status = 201): Answer {
  const silent = outcome.kind === 'unknown';
  return {
    outcome,
    response: silent
      ? null
      : { status, headers: {}, body: null, bodyState: 'complete', error: null, platformId: null },
    failure: silent ? { code: 'UND_ERR_SOCKET' } : null,
    durationMs: 5,
  };
}

export const ACCEPTED: Outcome = { kind: 'accepted', platformId: null };
export const REJECTED: Outcome = {
  kind: 'rejected',
  cause: 'platform-refused',
  code: 'bad-request',
  reason: 'bad-request',
};
export const UNKNOWN_LEARNER: Outcome = {
  kind: 'rejected',
  cause: 'learner-unknown',
  reason: 'bad-request: Invalid user identifier',
};
export const THROTTLED: Outcome = {
  kind: 'throttled',
  code: 'quota-exceeded',
  reason: 'quota-exceeded',
  retryAfterMs: null,
  quota: null,
};
export const SERVER_ERROR: Outcome = {
  kind: 'transient',
  code: 'HTTP 503',
  reason: 'HTTP 503',
  retryAfterMs: null,
  mayBeWritten: true,
};
export const SILENCE: Outcome = { kind: 'unknown', cause: 'no-answer', reason: 'connection closed' };

/** A claim with the first of its submissions, of which there is mostly no other. */
export type ClaimedFirst = Claim & ClaimedSubmission;

/** Claims what is due next; null when nothing may be sent. */
export function claimNext(ledger: Ledger, lease: Lease, runId: number): ClaimedFirst | null {
  const due = findDue(ledger, lease.name.slice('push:'.length), runId, 600_000);
  const claimed = due.kind === 'ready' ? claim(ledger, lease, due.submissionId, runId) : null;
  return claimed && { ...claimed, ...claimed.submissions[0] };
}

/** Claims what is due next and answers it. */
export function deliverNext(
  ledger: Ledger,
  lease: Lease,
  runId: number,
  outcome: Outcome,
  status?: number,
): ClaimedFirst {
  const claimed = claimNext(ledger, lease, runId);
  if (!claimed) throw new Error('nothing is due');
  recordAnswer(ledger, claimed.attemptId, answerOf(outcome, status), TEST_POLICY, runId);
  return claimed;
}

/** A submission's row. */
export function submission(ledger: Ledger, id: number) {
  const found = first(ledger, query.selectFrom('submission').selectAll().where('submission_id', '=', id));
  if (!found) throw new Error(`no submission ${id}`);
  return found;
}

/** All submissions' states in the order of their ids. */
export function states(ledger: Ledger): string[] {
  return (
    ledger.sqlite.prepare('select state, cause from submission order by submission_id').all() as {
      state: string;
      cause: string | null;
    }[]
  ).map(({ state, cause }) => (state === 'held' ? `${state}:${cause}` : state));
}
