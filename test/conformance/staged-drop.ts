import { beginDrop, type StagingPlan } from '../../src/ledger/drops/begin-drop.js';
import type { DropFacts } from '../../src/ledger/drops/drops.js';
import { isLease, type Lease, takeLease } from '../../src/ledger/leases/leases.js';
import { type Owner, thisProcess } from '../../src/ledger/leases/owner.js';
import { beginRun } from '../../src/ledger/leases/runs.js';
import type { Ledger } from '../../src/ledger/store/query.js';
import type { PreparedRow } from '../../src/ledger/submissions/staged-rows.js';
import { stageBatch } from '../../src/ledger/submissions/staging.js';
import { submitCompletion } from '../../src/operations/submit-completion.js';
import { type Completion, preparedCompletion } from '../support/prepared-completion.js';
import { withCells } from '../support/with-cells.js';

export const PLAN: StagingPlan = {
  format: 'csv',
  sheet: null,
  headerLine: 1,
  header: ['Email'],
  mapping: { 'user-id': 'Email' },
  settings: 'digest-1',
  sheetsLeft: [],
  zones: [],
};

/** A file that a run has met. */
export async function fileOf(ledger: Ledger, name: string): Promise<DropFacts> {
  const runId = await beginRun(ledger, 'manual', thisProcess(), 'test');
  return {
    source: 'academy',
    identity: { sha256: Buffer.from(name).toString('hex').padEnd(64, '0').slice(0, 64), bytes: 1 },
    fileName: name,
    operation: submitCompletion.name,
    environment: 'main',
    runId,
    isLeft: false,
  };
}

/** The stage lease, which its owner keeps for the whole test. */
export async function stageLease(ledger: Ledger, owner: Owner = thisProcess()): Promise<Lease> {
  const taken = await takeLease(ledger, 'stage', owner, null);
  if (!isLease(taken)) throw new Error('somebody else stages');
  return taken;
}

/** Begins or resumes a drop, and stages a batch of its rows, from line 2 on. */
export async function stagedDrop(
  ledger: Ledger,
  lease: Lease,
  file: DropFacts,
  rows: readonly (Completion | Exclude<PreparedRow, { kind: 'record' }>)[],
): Promise<number> {
  const { dropId } = await beginDrop(ledger, file, PLAN);
  const target = { dropId, operation: submitCompletion, environment: 'main', sendAmendments: false };
  const prepared = rows.map((row, index) =>
    'kind' in row ? row : preparedCompletion(ledger, row, index + 2),
  );
  await stageBatch(ledger, lease, target, { rows: withCells(prepared, (_, index) => [`row ${index}`]) });
  return dropId;
}
