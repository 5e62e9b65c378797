import type { RunWatch } from '../actions/run/request.js';

/** What shows a run to those who watch it. */
export interface Progress extends Pick<RunWatch, 'onStage' | 'onPush'> {
  /** Takes what is drawn off the screen. */
  end(): void;
}

/** Something that staging tells. */
export type StageEvent = Parameters<RunWatch['onStage']>[0];

/** Something that delivering tells. */
export type PushEvent = Parameters<RunWatch['onPush']>[0];
