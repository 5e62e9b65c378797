import type { SourceConfig } from '../config/schema.js';
import type { Decider } from '../domain/decider.js';
import type { Disposition } from '../domain/row.js';
import type { NewCorrection } from '../ledger/erasure/open-decision.js';
import type { Lease } from '../ledger/leases/leases.js';
import type { Ledger } from '../ledger/store/query.js';
import type { StagingTarget } from '../ledger/submissions/staging/read-rows.js';
import type { Operation } from '../operations/operation.js';
import { operationNamed } from '../operations/registry.js';

/** What staging one file needs. */
export interface StageContext {
  readonly ledger: Ledger;
  readonly lease: Lease;
  readonly runId: number;
  /** True where an earlier run left the file in processing/ and may have recorded its arrival. */
  readonly isLeft: boolean;
  readonly source: SourceConfig;
  readonly operation: Operation;
  /** All sources: a file of corrections may be about other sources than the one in whose inbox it lay. */
  readonly sources: readonly SourceConfig[];
  /** Who confirmed that columns of the source may be read otherwise than so far; null: nobody. */
  readonly confirmedBy: Decider | null;
  /** Who decides what corrections ask for. */
  readonly who: Decider;
  /** Decides what a file of corrections asks for. */
  readonly correct: Correct;
  /** True: large drops are read on a worker thread beside the writer, which needs the compiled program. */
  readonly beside: boolean;
  /** Aborted when staging must stop: the next run resumes what is staged so far. */
  readonly stop: AbortSignal;
  readonly listen: StageListener;
}

/**
 * Records a correction as decisions, and carries them out; the caller holds the stage lease. What a crash leaves of it is carried
 * out with the other decisions that were broken off. @returns the number of the decision about the rows.
 */
export type Correct = (correction: NewCorrection) => Promise<number>;

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
  | {
      readonly kind: 'published';
      readonly source: string;
      readonly file: string;
      readonly dropId: number;
      readonly dispositions: Readonly<Record<Disposition, number>>;
    }
  /** The file corrects rows of earlier ones, by this decision; the same bytes again decide nothing. */
  | {
      readonly kind: 'corrected';
      readonly source: string;
      readonly file: string;
      readonly decisionId: number;
      readonly isRepeat: boolean;
    }
  /** The same bytes came in before: no row is staged again. */
  | { readonly kind: 'repeated'; readonly source: string; readonly file: string; readonly dropId: number }
  /** The file as a whole was set aside. */
  | { readonly kind: 'refused'; readonly source: string; readonly file: string; readonly sentence: string }
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
