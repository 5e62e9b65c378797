import { basename } from 'node:path';
import type { SourceConfig } from '../config/schema.js';
import type { UntakenFile } from '../documents/common.js';
import type { Clock } from '../domain/clock.js';
import type { Decider } from '../domain/decider.js';
import type { OperatorError } from '../domain/operator-error.js';
import type { Disposition } from '../domain/row.js';
import type { NewCorrection } from '../ledger/erasure/open-decision.js';
import type { Lease } from '../ledger/leases/leases.js';
import type { Owner } from '../ledger/leases/owner.js';
import type { Ledger } from '../ledger/store/query.js';
import type { StagingTarget } from '../ledger/submissions/staging/read-rows.js';
import { operationNamed } from '../operations/registry.js';
import { fromWorkspace, type WorkspacePaths } from '../workspace/folders.js';
import type { NotTaken } from '../workspace/taken/claim-drop.js';

/** What taking files in needs. */
export interface IntakeContext {
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly owner: Owner;
  readonly runId: number;
  readonly paths: WorkspacePaths;
  /** The sources whose inboxes are looked at. */
  readonly sources: readonly SourceConfig[];
  /** All sources: a crash may have left a drop of any of them half staged, and a file of corrections may be about any. */
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

/** What staging one file needs of the intake that has claimed it. */
export interface StageContext
  extends Pick<
    Intake,
    'ledger' | 'lease' | 'runId' | 'allSources' | 'who' | 'correct' | 'beside' | 'stop' | 'listen'
  > {
  /** True where an earlier run left the file in processing/ and may have recorded its arrival. */
  readonly isLeft: boolean;
  readonly source: SourceConfig;
  /** Who confirmed that columns of the source may be read otherwise than so far; null: nobody. */
  readonly confirmedBy: Decider | null;
}

/** Reports a file that is left for the next run to those who watch, and adds it to the report where somebody must know. */
export function leave(file: NotTaken, source: string, { paths, untaken, listen }: Intake): void {
  const { code, reason, remedy, needsAttention } = file;
  listen({ kind: 'left', source, file: basename(file.path), reason });
  const path = fromWorkspace(file.path, paths);
  if (needsAttention) untaken.push({ source, path, code, reason, remedy });
}

/**
 * Records a correction as decisions, and carries them out; the caller holds the stage lease. What a crash leaves of it is carried
 * out with the other decisions that were broken off. @returns the number of the decision about the rows.
 */
export type Correct = (correction: NewCorrection) => Promise<number>;

/** What became of a file. */
export type StageResult =
  | {
      readonly kind: 'published';
      readonly dropId: number;
      readonly dispositions: Readonly<Record<Disposition, number>>;
    }
  | { readonly kind: 'repeated'; readonly dropId: number }
  /** A file of corrections; `isRepeat`: its bytes have been decided before. */
  | { readonly kind: 'corrected'; readonly decisionId: number; readonly isRepeat: boolean }
  | { readonly kind: 'refused'; readonly sentence: string }
  /** The file changed or vanished while it was read: none of its rows counts, and the ledger doesn't know the file. */
  | { readonly kind: 'changed' }
  | { readonly kind: 'interrupted' };

/** What staging reports to those who watch it. Only the file's name is personal. */
export type StageEvent =
  | { readonly kind: 'drop'; readonly source: string; readonly file: string; readonly path: string }
  | {
      readonly kind: 'rows';
      readonly file: string;
      /** Rows read so far. */
      readonly rows: number;
      /** Rows that the file probably has; null where it isn't known. */
      readonly expectedRows: number | null;
    }
  | ({ readonly source: string; readonly file: string } & Exclude<
      StageResult,
      { readonly kind: 'changed' | 'interrupted' }
    >)
  /** Left in the inbox, for a reason that people must know. */
  | { readonly kind: 'left'; readonly source: string; readonly file: string; readonly reason: string }
  /** Another process is staging; this one waits for it. */
  | { readonly kind: 'queued'; readonly pid: number };

export type StageListener = (event: StageEvent) => void;

/** What the submissions of a source's drop have in common. */
export function stagingTarget(dropId: number, source: SourceConfig): StagingTarget {
  return {
    dropId,
    operation: operationNamed(source.operation),
    environment: source.environment,
    sendAmendments: source.amendments === 'send',
  };
}
