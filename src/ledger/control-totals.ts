import { change, type Ledger, query } from './query.js';

/** How a drop's control totals came out. */
export const CONTROL_STATES = ['met', 'different', 'missing'] as const;

export interface ControlFinding {
  readonly state: (typeof CONTROL_STATES)[number];
  /** Rows of data expected; null: no bound. */
  readonly min: number | null;
  readonly max: number | null;
  /** Rows of data read. */
  readonly read: number;
}

/** Notes how the control totals of a drop came out. Call it before the drop is published. */
export function noteControl(ledger: Ledger, dropId: number, { state, min, max }: ControlFinding): void {
  change(
    ledger,
    query
      .updateTable('drop')
      .set({ control: state, expected_min: min, expected_max: max })
      .where('drop_id', '=', dropId),
  );
}
