import type { RunWatch } from '../actions/run/request.js';

/** The observers of a run. */
export interface Progress extends Pick<RunWatch, 'onStage' | 'onEstimate' | 'onPush'> {
  /** Takes what is drawn off the screen. */
  end(): void;
}

/** An event that staging reports. */
export type StageEvent = Parameters<RunWatch['onStage']>[0];

/** An event that delivery reports. */
export type PushEvent = Parameters<RunWatch['onPush']>[0];
