import type { RunWatch } from '../actions/run/request.js';

export interface Progress extends Pick<RunWatch, 'onStage' | 'onEstimate' | 'onPush'> {
  /** Takes what is drawn off the screen. */
  end(): void;
}

export type StageEvent = Parameters<RunWatch['onStage']>[0];

export type PushEvent = Parameters<RunWatch['onPush']>[0];
