import { collected } from '../../src/domain/process/series.js';
import type { NormalisedRecord } from '../../src/domain/record.js';
import { beginDrop, type StagingPlan } from '../../src/ledger/drops/begin-drop.js';
import type { DropFacts } from '../../src/ledger/drops/drops.js';
import { publishDrop } from '../../src/ledger/drops/publish-drop.js';
import type { Lease } from '../../src/ledger/leases/leases.js';
import type { Owner } from '../../src/ledger/leases/owner.js';
import type { Ledger } from '../../src/ledger/store/query.js';
import { applyDrop } from '../../src/ledger/submissions/staging/apply-drop.js';
import type { PreparedRow } from '../../src/ledger/submissions/staging/read-rows.js';
import { keyMaker } from '../../src/operations/keys.js';
import type { Operation } from '../../src/operations/operation.js';
import { recordIdentifier } from '../../src/operations/prepared-record.js';
import { recordOf } from '../../src/operations/record-text.js';
import { submitCompletion } from '../../src/operations/submit-completion.js';
import { type Completion, preparedCompletion } from '../support/prepared-completion.js';
import { PLAN, stageRows } from './stage-rows.js';
import { leaseUnderWay, runUnderWay } from './under-way.js';

/** A file that a run has met; the run goes on as long as the test. */
export async function fileOf(ledger: Ledger, name: string): Promise<DropFacts> {
  return {
    source: 'academy',
    identity: { sha256: Buffer.from(name).toString('hex').padEnd(64, '0').slice(0, 64), bytes: 1 },
    fileName: name,
    operation: submitCompletion.name,
    environment: 'main',
    runId: await runUnderWay(ledger),
    isResumed: false,
  };
}

/** The stage lease, which its owner keeps for the whole test. */
export async function stageLease(ledger: Ledger, owner?: Owner): Promise<Lease> {
  return (await leaseUnderWay(ledger, 'stage', owner)).held.leases[0];
}

/** A row of a file: a completion, or another disposition. */
export type FileRow = Completion | Exclude<PreparedRow, { kind: 'record' }>;

/** Begins or resumes a drop, and stages a batch of its rows, from line 2 on. @returns its number. */
export async function stagedDrop(
  ledger: Ledger,
  lease: Lease,
  file: DropFacts,
  rows: readonly FileRow[],
  plan: StagingPlan = PLAN,
): Promise<number> {
  const { dropId } = await beginDrop(ledger, file, plan);
  const prepared = rows.map((row, index) =>
    'kind' in row ? row : preparedCompletion(ledger, row, index + 2, file.environment),
  );
  const cells = prepared.map(({ line }, index) => ({ line, cells: [`row ${index}`] }));
  if (cells.length > 0) {
    await stageRows(ledger, lease, { dropId, environment: file.environment }, { rows: prepared, cells });
  }
  return dropId;
}

/** Stages a drop whole and publishes it, as a process does that ends then. @returns its number. */
export async function publishedDrop(
  ledger: Ledger,
  file: DropFacts | string,
  rows: readonly FileRow[],
  plan: StagingPlan = PLAN,
): Promise<number> {
  const met = typeof file === 'string' ? await fileOf(ledger, file) : file;
  const { held, end } = await leaseUnderWay(ledger, 'stage');
  const dropId = await stagedDrop(ledger, held.leases[0], met, rows, plan);
  await publishDrop(ledger, held.leases[0], dropId, { rowsRead: rows.length });
  await end();
  return dropId;
}

/** Which drop a test stages. */
export interface StageOptions {
  readonly operation?: Operation;
  readonly environment?: string;
  /** Left out: it is published and applied. */
  readonly publish?: boolean;
}

let files = 0;

/** Imports a file of completions, one line each from line 2 on, whose cells are the values of their fields. */
export function stage(ledger: Ledger, completions: readonly Completion[], options: StageOptions = {}) {
  const { environment = 'main' } = options;
  const rows = completions.map((row, index) => preparedCompletion(ledger, row, index + 2, environment));
  return importFiles(ledger, rows, options);
}

/** Imports a file of records of any operation. */
export function stageRecords(
  ledger: Ledger,
  operation: Operation,
  records: readonly NormalisedRecord['fields'][],
) {
  const identify = recordIdentifier({ operation, environment: 'main' }, keyMaker(ledger.salt), []);
  const rows = records.map((fields, index) => ({
    kind: 'record' as const,
    line: index + 2,
    ...identify({ fields }),
  }));
  return importFiles(ledger, rows, { operation });
}

async function importFiles(
  ledger: Ledger,
  rows: readonly (PreparedRow & { kind: 'record' })[],
  { operation = submitCompletion, environment = 'main', publish = true }: StageOptions,
): Promise<{ readonly dropId: number; readonly runId: number }> {
  files += 1;
  const file = { ...(await fileOf(ledger, `drop-${files}.csv`)), operation: operation.name, environment };
  const { held, end } = await leaseUnderWay(ledger, 'stage');
  const [lease] = held.leases;
  const { dropId } = await beginDrop(ledger, file, PLAN);
  const cells = rows.map((row) => ({
    line: row.line,
    cells: Object.values(recordOf(operation, row).fields),
  }));
  if (rows.length > 0) await stageRows(ledger, lease, { dropId, operation, environment }, { rows, cells });
  if (publish) {
    await publishDrop(ledger, lease, dropId, { rowsRead: rows.length });
    await collected(applyDrop(ledger, dropId, file.runId));
  }
  await end();
  return { dropId, runId: file.runId };
}
