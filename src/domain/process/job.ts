/** `died`: processes died over it, and it was stopped; `interrupted`: services ended meanwhile. */
export type SlotEnding = 'done' | 'failed' | 'died' | 'interrupted';

/** ISO times. */
export interface JobSlot {
  readonly job: string;
  readonly slotAt: string;
  /** The slot makes up for later missed times too. */
  readonly sinceAt: string;
  readonly missed: number;
}

export interface KeptSlot extends JobSlot {
  readonly startedAt: string;
  /** null while it is worked on, or when a process died over it. */
  readonly endedAt: string | null;
  readonly ending: SlotEnding | null;
}

export interface JobFacts {
  readonly job: string;
  /** Times up to this one are worked on or abandoned. */
  readonly sinceAt: string;
  /** The slot that began last; null: none has. */
  readonly latest: KeptSlot | null;
  /** When a slot was last worked on to its end; null: never. */
  readonly lastDoneAt: string | null;
}
