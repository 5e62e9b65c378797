import type { Outcome } from './outcome.js';

/** A test compares the ledger's CHECK and the reference's diagram with this list. */
export const STATES = [
  'waiting',
  'held',
  'sending',
  'accepted',
  'rejected',
  'failed',
  'in-doubt',
  'dismissed',
  'replaced',
] as const;

export type State = (typeof STATES)[number];

/** Where a submission is before the ledger knows it. */
export type Origin = 'staged';

export type SubmissionEvent =
  | 'admitted'
  | 'guarded'
  | 'claimed'
  | 'accepted'
  | 'rejected'
  | 'throttled'
  | 'stopped'
  | 'retried'
  | 'exhausted'
  | 'resent'
  | 'doubted'
  | 'released'
  | 'rerun'
  | 'dismissed'
  | 'replaced';

interface Transition {
  readonly from: State | Origin;
  readonly event: SubmissionEvent;
  readonly to: State;
}

export const ATTENTION_STATES = [
  'rejected',
  'failed',
  'in-doubt',
  'held',
] as const satisfies readonly State[];

/** Neither delivered, nor being delivered, nor dismissed or replaced. */
export const UNSENT_STATES = ['waiting', ...ATTENTION_STATES] as const satisfies readonly State[];

/** True where a submission may still be sent. */
export function isUnsent(state: State): boolean {
  return UNSENT_STATES.some((unsent) => unsent === state);
}

/** `settle` and the ledger's trigger refuse whatever is not here. */
export const TRANSITIONS: readonly Transition[] = [
  { from: 'staged', event: 'guarded', to: 'held' },
  { from: 'staged', event: 'admitted', to: 'waiting' },
  { from: 'waiting', event: 'guarded', to: 'held' },
  { from: 'waiting', event: 'claimed', to: 'sending' },
  { from: 'sending', event: 'rejected', to: 'rejected' },
  { from: 'sending', event: 'throttled', to: 'waiting' },
  { from: 'sending', event: 'stopped', to: 'waiting' },
  { from: 'sending', event: 'retried', to: 'waiting' },
  { from: 'sending', event: 'exhausted', to: 'failed' },
  { from: 'sending', event: 'resent', to: 'waiting' },
  { from: 'sending', event: 'doubted', to: 'in-doubt' },
  // A refusal of the learner says nothing about the row: once the learner is known, the row goes as well.
  ...from(['held', 'rejected'], 'released', 'waiting'),
  ...from(['held', 'rejected', 'failed', 'in-doubt'], 'rerun', 'waiting'),
  ...from([...UNSENT_STATES, 'replaced'], 'dismissed', 'dismissed'),
  ...from([...UNSENT_STATES, 'dismissed', 'replaced'], 'replaced', 'replaced'),
  // The answer to an abandoned request may still come; a record that the platform accepted is accepted.
  ...from(['sending', ...UNSENT_STATES, 'dismissed', 'replaced'], 'accepted', 'accepted'),
];

/** null: the event can't happen in this state. */
export function settle(state: State | Origin, event: SubmissionEvent): State | null {
  return TRANSITIONS.find((t) => t.from === state && t.event === event)?.to ?? null;
}

/** How much patience a submission has left, and what to do with an answer that never came. */
export interface Patience {
  /** Tries spent, with the one that has just ended if it spends one. */
  readonly triesSpent: number;
  readonly maxTries: number;
  /** Resends of what may have been written, without the one being decided. */
  readonly resends: number;
  readonly maxResends: number;
  readonly onUnknown: 'resend' | 'hold';
}

/** A 429 and a stop spend no try, a transient fault spends one; an unknown outcome is resent within its bound. */
export function eventOf(outcome: Outcome, patience: Patience): SubmissionEvent {
  switch (outcome.kind) {
    case 'accepted':
      return 'accepted';
    case 'rejected':
      return 'rejected';
    case 'throttled':
      return 'throttled';
    case 'stop':
      return 'stopped';
    case 'transient':
      return patience.triesSpent < patience.maxTries ? 'retried' : 'exhausted';
    case 'unknown':
      return patience.onUnknown === 'resend' && patience.resends < patience.maxResends ? 'resent' : 'doubted';
  }
}

function from(states: readonly State[], event: SubmissionEvent, to: State): Transition[] {
  return states.map((state) => ({ from: state, event, to }));
}
