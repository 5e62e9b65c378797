import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Clock } from '../../src/domain/clock.js';
import type { AnswerPolicy } from '../../src/domain/delivery/answer.js';
import type { Outcome } from '../../src/domain/outcome.js';
import { once } from '../../src/domain/process/once.js';
import { collected } from '../../src/domain/process/series.js';
import type { NormalisedRecord } from '../../src/domain/record.js';
import { STATES } from '../../src/domain/submission.js';
import { type Answer, recordAnswer } from '../../src/ledger/attempts/answers.js';
import { beginDrop } from '../../src/ledger/drops/begin-drop.js';
import { publishDrop } from '../../src/ledger/drops/publish-drop.js';
import {
  isLease,
  type Lease,
  type LeaseName,
  releaseLease,
  takeLease,
} from '../../src/ledger/leases/leases.js';
import { type Owner, thisProcess } from '../../src/ledger/leases/owner.js';
import { beginRun } from '../../src/ledger/leases/runs.js';
import { closeLedger, openLedger } from '../../src/ledger/store/open.js';
import { type FileLedger, first, type Ledger, query } from '../../src/ledger/store/query.js';
import { type Claim, claim, findDue } from '../../src/ledger/submissions/claims.js';
import { applyDrop } from '../../src/ledger/submissions/staging/apply-drop.js';
import type { PreparedRow } from '../../src/ledger/submissions/staging/read-rows.js';
import { stageBatch } from '../../src/ledger/submissions/staging/staging.js';
import { keyMaker } from '../../src/operations/keys.js';
import type { Operation } from '../../src/operations/operation.js';
import { preparedRecord } from '../../src/operations/prepared-record.js';
import { recordOf } from '../../src/operations/record-text.js';
import { submitCompletion } from '../../src/operations/submit-completion.js';
import { bytesOf, writeEmptyLedger } from './empty-ledger.js';
import { manualClock } from './manual-clock.js';
import { type Completion, preparedCompletion, READ_AS_CSV } from './prepared-completion.js';
import { select } from './select.js';
import { tempFolder } from './temp-folder.js';
import { withCells } from './with-cells.js';

/** A ledger in a file of its own, closed when the test ends. @param bytes of a ledger to copy; absent: it is empty. */
export function testLedger(clock: Clock = manualClock(), bytes?: Buffer): FileLedger {
  const path = join(tempFolder(), 'registrar.db');
  if (bytes === undefined) writeEmptyLedger(path);
  else writeFileSync(path, bytes, { mode: 0o600 });
  const ledger = openLedger(path, clock);
  onTestFinished(() => closeLedger(ledger));
  return ledger;
}

/**
 * Ledgers that begin as `prepare` leaves one, which it does once: each is a copy in a file of its own, closed when the test ends.
 */
export function preparedLedgers(
  prepare: (ledger: FileLedger) => Promise<unknown>,
  clockOf: () => Clock = manualClock,
): () => Promise<FileLedger> {
  const bytes = once(async () => {
    const ledger = testLedger(clockOf());
    await prepare(ledger);
    return bytesOf(ledger);
  });
  return async () => testLedger(clockOf(), await bytes());
}

let files = 0;

/** Stages completions as one published drop, one line each from line 2 on. */
export async function stage(
  ledger: Ledger,
  completions: readonly Completion[],
  options: {
    publish?: boolean;
    sendAmendments?: boolean;
    environment?: string;
    /** Changes the rows before they are written; absent: unchanged. */
    asRead?: (rows: readonly PreparedRow[]) => readonly PreparedRow[];
  } = {},
): Promise<{ dropId: number; runId: number }> {
  const environment = options.environment ?? 'main';
  const rows = completions.map((completion, index) =>
    preparedCompletion(ledger, completion, index + 2, environment),
  );
  return stageRows(ledger, submitCompletion, rows, { ...options, environment });
}

/** Stages records of any operation as one published drop, one line each from line 2 on. */
export async function stageRecords(
  ledger: Ledger,
  operation: Operation,
  records: readonly NormalisedRecord['fields'][],
): Promise<{ dropId: number; runId: number }> {
  const keys = keyMaker(ledger.salt);
  const rows = records.map((fields, index) => ({
    kind: 'record' as const,
    line: index + 2,
    ...preparedRecord({ operation, environment: 'main' }, keys, { fields }),
  }));
  return stageRows(ledger, operation, rows, { environment: 'main' });
}

async function stageRows(
  ledger: Ledger,
  operation: Operation,
  rows: readonly (PreparedRow & { kind: 'record' })[],
  options: Parameters<typeof stage>[2] & { environment: string },
): Promise<{ dropId: number; runId: number }> {
  files += 1;
  const { environment } = options;
  const runId = await beginRun(ledger, 'manual', thisProcess(), 'test');
  const lease = await mustLease(ledger, 'stage');
  const { dropId } = await beginDrop(
    ledger,
    {
      source: 'academy',
      identity: { sha256: files.toString(16).padStart(64, '0'), bytes: 1 },
      fileName: `drop-${files}.csv`,
      operation: operation.name,
      environment,
      runId,
      isResumed: false,
    },
    READ_AS_CSV,
  );
  const target = {
    dropId,
    operation,
    environment,
    sendAmendments: options.sendAmendments ?? false,
  };
  if (rows.length > 0) {
    const read: readonly PreparedRow[] = options.asRead?.(rows) ?? rows;
    const cellsOf = (_: unknown, index: number) => {
      const row = rows[index];
      return row === undefined ? [] : Object.values(recordOf(operation, row).fields);
    };
    await stageBatch(ledger, lease, target, withCells(read, cellsOf));
  }
  if (options.publish !== false) {
    await publishDrop(ledger, lease, dropId, { rowsRead: rows.length });
    await collected(applyDrop(ledger, dropId, runId));
  }
  await releaseLease(ledger, lease);
  return { dropId, runId };
}

/** The lease, which no other process may hold in the test. */
export async function mustLease(
  ledger: Ledger,
  name: LeaseName,
  owner: Owner = thisProcess(),
): Promise<Lease> {
  const taken = await takeLease(ledger, name, owner, null);
  if (!isLease(taken)) throw new Error(`${name} is held by ${taken.pid}`);
  return taken;
}

export const TEST_POLICY: AnswerPolicy = {
  maxTries: 3,
  maxResends: 2,
  onUnknown: 'resend',
  backOffMs: () => 1_000,
  spendTries: true,
  canary: { rows: 0, maxRejected: 0 },
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
export type ClaimedFirst = Claim & Claim['submissions'][number];

/** Claims what is due next; null when nothing may be sent. */
export async function claimNext(ledger: Ledger, lease: Lease, runId: number): Promise<ClaimedFirst | null> {
  const due = await findDue(ledger, {
    environment: lease.name.slice('push:'.length),
    runId,
  });
  const claimed = due.kind === 'ready' ? await claim(ledger, lease, due.submissionId, runId) : null;
  return claimed && { ...claimed, ...claimed.submissions[0] };
}

/** Claims what is due next and answers it. */
export async function deliverNext(
  ledger: Ledger,
  lease: Lease,
  runId: number,
  outcome: Outcome,
  status?: number,
): Promise<ClaimedFirst> {
  const claimed = await claimNext(ledger, lease, runId);
  if (!claimed) throw new Error('nothing is due');
  await recordAnswer(ledger, claimed.attemptId, answerOf(outcome, status), TEST_POLICY, runId);
  return claimed;
}

/** A submission's row. */
export async function submission(ledger: Ledger, id: number) {
  const found = await first(
    ledger,
    query.selectFrom('submission_record').selectAll().where('submission_id', '=', id),
  );
  if (!found) throw new Error(`no submission ${id}`);
  return found;
}

/** The states of all submissions of published drops in the order of their ids; of what is held with the cause. */
export async function states(ledger: Ledger): Promise<string[]> {
  const all = [...(await select(ledger, { states: STATES }))].sort((a, b) => a.submissionId - b.submissionId);
  return all.map(({ state, code }) => (state === 'held' ? `${state}:${code}` : state));
}
