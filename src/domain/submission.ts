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

function from(states: readonly State[], event: SubmissionEvent, to: State): Transition[] {
  return states.map((state) => ({ from: state, event, to }));
}
