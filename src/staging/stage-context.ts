import type { SourceConfig } from '../config/schema.js';
import type { UnmatchedFile } from '../documents/common.js';
import type { Decider } from '../domain/decider.js';
import type { OperatorError } from '../domain/operator-error.js';
import type { Disposition } from '../domain/row.js';
import type { FetchContext, ImportProblems } from '../inbox/fetch-files.js';
import type { NewCorrection } from '../ledger/erasure/open-decision.js';
import type { Lease } from '../ledger/leases/leases.js';
import type { StagingTarget } from '../ledger/submissions/staging/read-rows.js';
import { operationNamed } from '../operations/registry.js';

export interface IntakeContext extends FetchContext {
  readonly runId: number;
  /** The sources whose inboxes are imported. */
  readonly sources: readonly SourceConfig[];
  /** All sources: any of them may have a half staged drop after a crash, and a corrected file may be about any. */
  readonly allSources: readonly SourceConfig[];
  /** Who confirmed a change of settings or headers, by source. */
  readonly confirmed: ReadonlyMap<string, Decider>;
  /** Who imports; recorded with the decision that a corrected file makes. */
  readonly who: Decider;
  /**
   * Records a correction as decisions, and carries them out; the caller holds the stage lease. After a crash, the decisions are finished
   * with the other interrupted decisions. @returns the number of the decision about the rows.
   */
  readonly correct: (correction: NewCorrection) => Promise<number>;
  /** True: large drops are read on a worker thread. */
  readonly beside: boolean;
  readonly listen: StageListener;
}

export interface Intake extends IntakeContext, ImportProblems {
  readonly lease: Lease;
  /** True while this process still holds the lease. */
  isHeld(): Promise<boolean>;
  readonly troubles: OperatorError[];
  readonly unmatched: UnmatchedFile[];
}

/** What staging one file needs from the import that has claimed it. */
export interface StageContext
  extends Pick<
    Intake,
    'ledger' | 'lease' | 'runId' | 'allSources' | 'who' | 'correct' | 'beside' | 'stop' | 'listen'
  > {
  /** True where an earlier run left the file in processing/ and may have recorded its arrival. */
  readonly isResumed: boolean;
  readonly source: SourceConfig;
  /** Who confirmed that the source's columns may be read differently from now on; null: not confirmed. */
  readonly confirmedBy: Decider | null;
}

export type StageResult =
  | {
      readonly kind: 'published';
      readonly dropId: number;
      readonly dispositions: Readonly<Record<Disposition, number>>;
    }
  | { readonly kind: 'repeated'; readonly dropId: number }
  /** A corrected file; `isRepeat`: its bytes were decided before. */
  | { readonly kind: 'corrected'; readonly decisionId: number; readonly isRepeat: boolean }
  | { readonly kind: 'refused'; readonly sentence: string }
  /** The file changed or vanished while it was read: none of its rows count, and the ledger doesn't know the file. */
  | { readonly kind: 'changed' }
  | { readonly kind: 'interrupted' };

/** What staging reports to its listener. Only the file's name is personal. */
export type StageEvent =
  | { readonly kind: 'drop'; readonly source: string; readonly file: string; readonly path: string }
  | {
      readonly kind: 'rows';
      readonly file: string;
      readonly rows: number;
      /** The expected number of rows; null: unknown. */
      readonly expectedRows: number | null;
    }
  | ({ readonly source: string; readonly file: string } & Exclude<
      StageResult,
      { readonly kind: 'changed' | 'interrupted' }
    >)
  /** Left for the next run. */
  | { readonly kind: 'left'; readonly source: string; readonly file: string; readonly reason: string }
  /** Another process is staging; this one waits for it. */
  | { readonly kind: 'queued'; readonly pid: number };

export type StageListener = (event: StageEvent) => void;

/** What the submissions of a source's drop have in common. */
export function stagingTarget(source: SourceConfig): Omit<StagingTarget, 'dropId'> {
  return {
    operation: operationNamed(source.operation),
    environment: source.environment,
    sendAmendments: source.amendments === 'send',
  };
}
