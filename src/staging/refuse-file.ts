import type { DropFormat, DropIdentity } from '../domain/drop.js';
import { issuesText, type Refusal, type Refused } from '../domain/issue.js';
import { OperatorError } from '../domain/operator-error.js';
import { failpoint } from '../domain/process/failpoint.js';
import { fileStamp } from '../intake/read-bytes.js';
import { withdrawDrop } from '../ledger/drops/discard-rows.js';
import type { DropFacts } from '../ledger/drops/drops.js';
import type { PublishedRows } from '../ledger/drops/publish-drop.js';
import { type Arrival, recordArrival } from '../ledger/drops/record-arrival.js';
import { refuseDrop } from '../ledger/drops/refused/refuse-drop.js';
import { applyDrop } from '../ledger/submissions/staging/apply-drop.js';
import { isReadable } from '../workspace/files/entries.js';
import { errorCode } from '../workspace/files/io-error.js';
import { identityToRefuse } from './open-file.js';
import type { StageContext, StageResult } from './stage-context.js';

/** A file, or a sheet of it, on its way into the ledger. */
export interface StagedFile {
  readonly path: string;
  /** The stamp of the file before it was read. */
  readonly stamp: string;
  readonly fileName: string;
  /** With the source of its rows. */
  readonly context: StageContext;
  /** The sheet, where several sheets of the file are a drop each. */
  readonly part?: string;
}

/** Stages the file at a path, unless it is gone. See `refuseIfFaulty`. @param stamp null: the file is gone. */
export async function stageIfPresent(
  path: string,
  fileName: string,
  context: StageContext,
  stage: (file: StagedFile) => Promise<StageResult | readonly StageResult[]>,
  stamp = fileStamp(path),
): Promise<readonly StageResult[]> {
  if (stamp === null) return [{ kind: 'changed' }];
  const file = { path, stamp, fileName, context };
  return refuseIfFaulty(file, () => stage(file));
}

/** Stages a file. A faulty file is refused with the reason, and other files are not affected. */
export async function refuseIfFaulty<T extends StageResult | readonly StageResult[]>(
  file: StagedFile,
  stage: () => Promise<T>,
): Promise<readonly StageResult[]> {
  try {
    return [await stage()].flat();
  } catch (error) {
    const { ledger, lease, runId, source } = file.context;
    const isFromFile = error instanceof OperatorError || errorCode(error) !== null;
    if (isFromFile && !(await isUnchanged(file))) {
      // Where another process has taken over the lease, that process resumes or withdraws the half staged drop.
      await withdrawDrop(ledger, lease, source.name, runId);
      return [{ kind: 'changed' }];
    }
    if (!(error instanceof OperatorError) || error.exit !== 'attention') throw error;
    const drop = factsOf(await identityToRefuse(file.path, source), file);
    // Bytes that were imported under other settings stay imported.
    const arrival = await arrive(drop, file.context);
    if (arrival.kind !== 'new') return [arrival];
    const text = [error.message, error.hint].filter(Boolean).join(' ');
    return [await refuse(drop, null, { code: 'drop-unreadable', text }, file)];
  }
}

/** False where the file has changed, is gone, or Registrar has no access to it: that explains why it can't be read. */
async function isUnchanged({ path, stamp }: StagedFile): Promise<boolean> {
  try {
    // Throws where Registrar may no longer read it.
    isReadable(path);
    return fileStamp(path) === stamp;
  } catch (error) {
    if (['ENOENT', 'EACCES', 'EPERM'].includes(errorCode(error) ?? '')) return false;
    throw error;
  }
}

/**
 * Handles a file whose bytes are already imported: records a repeat, or, where an earlier run was interrupted right
 * after it published the file, completes that import. `new` as in `Arrival`.
 */
export async function arrive(
  drop: DropFacts,
  context: StageContext,
): Promise<StageResult | Extract<Arrival, { readonly kind: 'new' }>> {
  const arrival = await recordArrival(context.ledger, drop);
  if (arrival.kind === 'resumed') return applyPublished(arrival, context);
  if (arrival.kind === 'repeated') failpoint('arrival-noted');
  return arrival;
}

/** Applies a published drop. After an interruption, call it again: it resumes. */
export async function applyPublished(
  { dropId, dispositions }: PublishedRows,
  { ledger, runId }: StageContext,
): Promise<StageResult> {
  for await (const _ of applyDrop(ledger, dropId, runId));
  failpoint('drop-applied');
  return { kind: 'published', dropId, dispositions };
}

export function factsOf({ sha256, bytes }: DropIdentity, { fileName, part, context }: StagedFile): DropFacts {
  const { source, runId, isResumed } = context;
  return {
    source: source.name,
    identity: { sha256, bytes },
    ...(part === undefined ? {} : { part }),
    fileName,
    operation: source.operation,
    environment: source.environment,
    runId,
    isResumed,
    hasResult: source.results !== undefined,
  };
}

export function refusePlan(
  { issues }: Refused,
  drop: DropFacts,
  format: DropFormat,
  file: StagedFile,
): Promise<StageResult> {
  const code = issues[0]?.code ?? 'drop-unreadable';
  return refuse(drop, format, { code, text: issuesText(issues) }, file);
}

export async function refuse(
  drop: DropFacts,
  format: DropFormat | null,
  refusal: Refusal,
  file: StagedFile,
): Promise<StageResult> {
  await refuseDrop(file.context.ledger, { ...drop, format }, refusal);
  failpoint('drop-refused');
  return { kind: 'refused', sentence: refusal.text };
}
