import type { EnvironmentConfig } from '../config/schema.js';
import type { Clock } from '../domain/clock.js';
import type { Gate } from '../domain/environment/gate.js';
import type { Notice } from '../domain/environment/notice.js';
import type { OutcomeKind } from '../domain/outcome.js';
import type { State } from '../domain/submission.js';
import type { Owner } from '../ledger/leases/owner.js';
import type { Ledger } from '../ledger/store/query.js';
import type { PlatformClient } from '../platform/client.js';
import type { TokenSource } from '../platform/token.js';

export interface PushContext {
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly owner: Owner;
  readonly runId: number;
  readonly environment: string;
  /** The rerun whose rows alone are delivered; null or absent: all rows that wait are delivered. */
  readonly chosenBy?: number | null;
  readonly config: EnvironmentConfig;
  readonly gate: Gate;
  readonly client: PlatformClient;
  readonly tokens: TokenSource;
  /** Aborted when no more requests may begin; requests under way are finished. */
  readonly stop: AbortSignal;
  /** A number from 0 to 1. */
  readonly random: () => number;
  readonly listen: PushListener;
}

/** What a push reports to terminals and logs. Nothing in it is personal. */
export type PushEvent = { readonly environment: string } & (
  | { readonly kind: 'begin'; readonly waiting: number }
  | {
      readonly kind: 'answered';
      readonly submissionId: number;
      readonly outcome: OutcomeKind;
      readonly reason: string | null;
      /** null when the answer changed nothing. */
      readonly state: State | null;
    }
  /** The client id is paused, or the environment has stopped working. */
  | { readonly kind: 'paused'; readonly reason: string; readonly forMs: number }
  /** The first sound answer after runs that couldn't use the environment. */
  | { readonly kind: 'usable' }
  /** Something about the environment that a person should know, reported once per run. */
  | { readonly kind: 'noticed'; readonly notice: Notice }
  /** Too many of a drop's first rows were refused: the others are held. */
  | { readonly kind: 'canary'; readonly dropId: number; readonly answered: number; readonly refused: number }
  | { readonly kind: 'end' }
);

export type PushListener = (event: PushEvent) => void;
