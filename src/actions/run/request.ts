import type { RunTrigger } from '../../domain/process/run.js';
import type { PushListener } from '../../push/push-event.js';
import type { StageListener } from '../../staging/stage-context.js';

/** What one execution of the flow is to do. */
export interface RunRequest {
  readonly trigger: RunTrigger;
  /** Names of the sources to take in; none: all. */
  readonly sources: readonly string[];
  /** Names of the sources of which whoever runs it confirms that their settings or their files' headers have changed. */
  readonly confirmed: readonly string[];
  /** False: leave the inboxes alone. */
  readonly intake: boolean;
  /** False: stage only. */
  readonly push: boolean;
  /** No request begins after this long; null: no limit. */
  readonly maxDurationMs: number | null;
  /** Called once the run has its number, before anything else; what it gives back is all that the run delivers. */
  readonly begun?: (runId: number) => Promise<Chosen>;
}

/** Rows that a person chose, by a rerun. */
export interface Chosen {
  readonly decisionId: number;
  /** Names of the environments that they are for. */
  readonly environments: readonly string[];
}

/** Whoever watches a run, and may stop it. */
export interface RunWatch {
  /** Aborted by a signal: what is under way is finished, the rest waits. */
  readonly interrupt: AbortSignal;
  readonly onStage: StageListener;
  readonly onPush: PushListener;
}
