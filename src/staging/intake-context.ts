import { basename } from 'node:path';
import type { SourceConfig } from '../config/schema.js';
import type { UntakenFile } from '../documents/common.js';
import type { Clock } from '../domain/clock.js';
import type { Decider } from '../domain/decider.js';
import type { OperatorError } from '../domain/operator-error.js';
import type { Lease } from '../ledger/leases/leases.js';
import type { Owner } from '../ledger/leases/owner.js';
import type { Ledger } from '../ledger/store/query.js';
import { fromWorkspace, type WorkspacePaths } from '../workspace/folders.js';
import type { NotTaken } from '../workspace/taken/claim-drop.js';
import type { Correct, StageListener } from './stage-context.js';

/** What taking files in needs. */
export interface IntakeContext {
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly owner: Owner;
  readonly runId: number;
  readonly paths: WorkspacePaths;
  /** The sources whose inboxes are looked at. */
  readonly sources: readonly SourceConfig[];
  /** All sources: a crash may have left a drop of any source half staged. */
  readonly allSources: readonly SourceConfig[];
  /** Who confirmed that a source's settings or its files' headers have changed, by source. */
  readonly confirmed: ReadonlyMap<string, Decider>;
  /** Who takes the files in; recorded with the decision that a corrected file makes. */
  readonly who: Decider;
  /** Decides what a file of corrections asks for. */
  readonly correct: Correct;
  /** True: large drops are read on a worker thread beside the writer. */
  readonly beside: boolean;
  /** Aborted when no more may be staged; the next run resumes a half staged drop. */
  readonly stop: AbortSignal;
  readonly listen: StageListener;
}

/** Files that were not taken in, and what else somebody must know about files. */
export interface TakenIn {
  /** Sources whose inboxes couldn't be read, or whose settings changed. None of them stops another. */
  readonly troubles: readonly OperatorError[];
  /** Files that could not be taken this time, and what something else has changed in processing/ and archive/. */
  readonly untaken: readonly UntakenFile[];
}

/** An intake that is under way. */
export interface Intake extends IntakeContext, TakenIn {
  readonly lease: Lease;
  /** True while this process still holds the lease. */
  isHeld(): Promise<boolean>;
  readonly troubles: OperatorError[];
  readonly untaken: UntakenFile[];
}

/** Reports a file that is left for the next run to those who watch, and adds it to the report where somebody must know. */
export function leave(file: NotTaken, source: string, { paths, untaken, listen }: Intake): void {
  const { code, reason, remedy, needsAttention } = file;
  listen({ kind: 'left', source, file: basename(file.path), reason });
  const path = fromWorkspace(file.path, paths);
  if (needsAttention) untaken.push({ source, path, code, reason, remedy });
}
