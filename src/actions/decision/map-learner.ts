import type { State } from '../../domain/submission.js';
import { resolveAddressRows } from '../../ledger/address-rows.js';
import { inTheEnd } from '../../ledger/corrected-learners.js';
import { type Correction, corrections, type Identified } from '../../ledger/corrections.js';
import { keyMaker } from '../../ledger/keys.js';
import {
  endHolds,
  type LearnerRow,
  type MovedRows,
  movableRows,
  remappableRows,
  replaceRows,
  statesOfLearner,
} from '../../ledger/learner-rows.js';
import { pagesOf } from '../../ledger/pages.js';
import type { Ledger } from '../../ledger/query.js';
import { recordIdentifier } from '../../ledger/record-identifier.js';
import { operationNamed } from '../../operations/registry.js';
import { carryPages } from './carry-pages.js';
import type { Deed } from './deed.js';

/** What mapping a learner would do. */
export interface Mapping {
  readonly correction: Correction;
  /** The learner that counts in the end: the new identifier may have been corrected before. */
  readonly now: Identified;
  /** All corrections, with this one. */
  readonly corrections: readonly Correction[];
  /** True where an earlier correction of the old identifier is replaced. */
  readonly replacesEarlier: boolean;
  /** Submissions that would be replaced. */
  readonly rows: readonly LearnerRow[];
  /** Submissions of the old identifier by state, before. */
  readonly states: Partial<Record<State, number>>;
}

/** How the rows of a mapped learner are replaced. Whoever stages has read the corrections, and would use the old identifier. */
export const mapDeed: Deed<MovedRows> = {
  leases: () => ['stage'],
  async carryOut({ ledger }, { decisionId, selection }, _runId, lost) {
    const moved = { made: 0, linked: 0, left: 0 };
    const known = corrections(ledger);
    const correction = known.find(({ old, now }) => old.hash === selection.old && now.hash === selection.new);
    // Both may have been forgotten meanwhile.
    if (correction === undefined) return moved;
    const mapping = mappingOf(ledger, correction, known);
    const identify = identifier(ledger, mapping);
    const replace = function* () {
      for (const page of pagesOf(mapping.rows)) {
        const rows = page.map((row) => ({ ...row, identified: identify(row) }));
        const { made, linked, left } = replaceRows(ledger, decisionId, rows);
        moved.made += made;
        moved.linked += linked;
        moved.left += left;
        yield;
      }
    };
    await carryPages(ledger, replace(), lost);
    endHolds(ledger, correction.old.hash);
    resolveAddressRows(ledger, correction.old.hash, decisionId);
    return moved;
  },
};

/** What a correction changes in the ledger as it is now. @param known the corrections made so far. */
export function mappingOf(ledger: Ledger, correction: Correction, known: readonly Correction[]): Mapping {
  const { old } = correction;
  const others = known.filter((other) => other.old.hash !== old.hash);
  const now = inTheEnd(correction, others);
  return {
    correction,
    now,
    corrections: [...others, correction],
    replacesEarlier: others.length < known.length,
    rows: [...movableRows(ledger, old.hash), ...remappableRows(ledger, old.hash, now.hash)],
    states: statesOfLearner(ledger, old.hash),
  };
}

/** The same record about the learner that counts, with its keys. */
function identifier(ledger: Ledger, { corrections }: Mapping) {
  const keys = keyMaker(ledger.salt);
  return ({ operation: name, environment, record }: LearnerRow) => {
    return recordIdentifier(operationNamed(name), environment, keys, corrections)(record);
  };
}
