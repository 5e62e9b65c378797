import type { Notice } from '../domain/environment/notice.js';
import type { OutcomeKind } from '../domain/outcome.js';
import type { State } from '../domain/submission.js';

/** What a push reports to terminals and logs. Nothing in it is personal. */
export type PushEvent =
  | { readonly kind: 'begin'; readonly environment: string; readonly waiting: number }
  | {
      readonly kind: 'answered';
      readonly environment: string;
      readonly submissionId: number;
      readonly outcome: OutcomeKind;
      readonly reason: string | null;
      /** null when the answer changed nothing. */
      readonly state: State | null;
    }
  /** The client id is paused, or the environment has stopped working. */
  | { readonly kind: 'paused'; readonly environment: string; readonly reason: string; readonly forMs: number }
  /** The first sound answer after runs that couldn't use the environment. */
  | { readonly kind: 'usable'; readonly environment: string }
  /** Something about the environment that a person should know, reported once per run. */
  | { readonly kind: 'noticed'; readonly environment: string; readonly notice: Notice }
  /** Too many of a drop's first rows were refused: the others are held. */
  | {
      readonly kind: 'canary';
      readonly environment: string;
      readonly dropId: number;
      readonly answered: number;
      readonly refused: number;
    }
  /** A rerun waits for another one to end. */
  | { readonly kind: 'queued'; readonly environment: string; readonly pid: number }
  | { readonly kind: 'end'; readonly environment: string };

export type PushListener = (event: PushEvent) => void;
