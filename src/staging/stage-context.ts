import type { SourceConfig } from '../config/schema.js';
import type { Decider } from '../domain/decider.js';
import type { Disposition } from '../domain/row.js';
import type { Lease } from '../ledger/leases/leases.js';
import type { Ledger } from '../ledger/store/query.js';
import type { StagingTarget } from '../ledger/submissions/staged-rows.js';
import type { Operation } from '../operations/operation.js';
import { operationNamed } from '../operations/registry.js';
import type { MapLearner } from './prepare/address-sheet.js';

/** What staging one file needs. */
export interface StageContext {
  readonly ledger: Ledger;
  readonly lease: Lease;
  readonly runId: number;
  /** An earlier run left the file in processing/, and may have noted that it came in. */
  readonly isLeft: boolean;
  /** Where its control file lies; null when none came. */
  readonly control: string | null;
  readonly source: SourceConfig;
  readonly operation: Operation;
  /** All sources: a file of corrections may be of others than the one whose inbox it lay in. */
  readonly sources: readonly SourceConfig[];
  /** Who confirmed that columns of the source may be read otherwise than so far; null: nobody. */
  readonly confirmedBy: Decider | null;
  /** Who decides what corrections ask for. */
  readonly who: Decider;
  /** Why; null where the file itself, by its name, is all that is known. */
  readonly because: string | null;
  /** Carries out the right addresses of learners that a workbook brings. */
  readonly mapLearner: MapLearner;
  /** Carries out what corrected rows decide about those that they stand for. */
  readonly closeCorrected: CloseCorrected;
  /** True: large drops are read on a worker thread beside the writer, which needs the compiled program. */
  readonly beside: boolean;
  /** Aborted when staging must stop: what is staged so far is resumed by the next run. */
  readonly stop: AbortSignal;
  readonly listen: StageListener;
}

/**
 * Makes room for what the rows of a corrected attention file became, once that is published; the caller holds the stage
 * lease. May be asked again, which picks up what is left.
 */
export type CloseCorrected = (
  corrected: { readonly dropId: number; readonly runId: number },
  who: Decider,
  because: string,
) => Promise<void>;

/** What staging tells those who watch it. Nothing in it is personal but the file's name. */
export type StageEvent =
  | { readonly kind: 'drop'; readonly source: string; readonly file: string; readonly path: string }
  | {
      readonly kind: 'rows';
      readonly file: string;
      /** Rows read so far. */
      readonly rows: number;
      /** Rows the file probably has; null where nothing tells. */
      readonly expectedRows: number | null;
    }
  | {
      readonly kind: 'published';
      readonly source: string;
      readonly file: string;
      readonly dropId: number;
      readonly dispositions: Readonly<Record<Disposition, number>>;
    }
  /** The same bytes came in before: nothing of it is staged again. */
  | { readonly kind: 'repeated'; readonly source: string; readonly file: string; readonly dropId: number }
  /** The file as a whole was set aside. */
  | { readonly kind: 'refused'; readonly source: string; readonly file: string; readonly sentence: string }
  /** Left in the inbox, for a reason worth telling. */
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
