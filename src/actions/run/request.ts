import type { DeliveryEstimate } from '../../documents/run.js';
import type { RunTrigger } from '../../domain/process/run.js';
import type { PushListener } from '../../push/push-context.js';
import type { StageListener } from '../../staging/stage-context.js';

export interface RunRequest {
  readonly trigger: RunTrigger;
  /** Names of the sources to import; empty: all sources. */
  readonly sources: readonly string[];
  /** Names of the sources whose changed settings or changed headers the person who starts the run confirms. */
  readonly confirmed: readonly string[];
  /** The environments to push to; absent: those of the sources, and where all sources run all that rows wait for. */
  readonly environments?: readonly string[];
  /** False: imports nothing. */
  readonly intake: boolean;
  /** False: delivers nothing. */
  readonly push: boolean;
  /** True: the results of files are left to the service, which delivers them beside its runs. */
  readonly leavesResults?: boolean;
  /** No request begins after this long; null: no limit. */
  readonly maxDurationMs: number | null;
  /** Called once the run has its number, before anything else; the run delivers only the rows that it returns; null: all that wait. */
  readonly onStart?: (runId: number) => Promise<ChosenRows | null>;
}

export const WHOLE_RUN: RunRequest = {
  trigger: 'manual',
  sources: [],
  confirmed: [],
  intake: true,
  push: true,
  maxDurationMs: null,
};

/** The rows selected by a rerun. */
export interface ChosenRows {
  readonly decisionId: number;
  readonly environments: readonly string[];
}

/** Receives the progress of a run, and may stop it. */
export interface RunListener {
  /** Aborted by a signal: requests under way finish, the rest waits. */
  readonly interrupt: AbortSignal;
  readonly onStage: StageListener;
  /** Called for each environment that rows wait for, after files were imported and before the first request. */
  readonly onEstimate: (estimate: DeliveryEstimate) => void;
  readonly onPush: PushListener;
}

/** For runs without a listener: their effects are read from the ledger. */
export const NO_LISTENER: Omit<RunListener, 'interrupt'> = {
  onStage: () => {},
  onEstimate: () => {},
  onPush: () => {},
};
