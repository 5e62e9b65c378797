import { OperatorError } from '../domain/operator-error.js';
import type { State } from '../domain/submission.js';
import { resolveAddressRows } from '../ledger/address-rows.js';
import { inTheEnd, type MappingProblem, mappingProblem } from '../ledger/corrected-learners.js';
import { type Correction, corrections, type Identified, saveCorrection } from '../ledger/corrections.js';
import { closeDecision, openDecision, unfinishedDecision } from '../ledger/decision-log.js';
import { keyMaker } from '../ledger/keys.js';
import {
  endHolds,
  type LearnerRow,
  type MovedRows,
  movableRows,
  remappableRows,
  replaceRows,
  type StandingRows,
  standingOf,
  statesOfLearner,
} from '../ledger/learner-rows.js';
import { isLease, takeLease, underLease } from '../ledger/leases.js';
import { thisProcess } from '../ledger/owner.js';
import { type Ledger, writing } from '../ledger/query.js';
import { recordIdentifier } from '../ledger/record-identifier.js';
import { suppressedLearners } from '../ledger/suppressions.js';
import { operationNamed } from '../operations/registry.js';

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

/** What mapping a learner did. */
export interface Mapped extends MovedRows {
  readonly mapping: Mapping;
  readonly decisionId: number;
  /** Where the new submissions stand. */
  readonly standing: readonly StandingRows[];
}

/** Rows per transaction. */
const PAGE = 500;

/**
 * Works out what a corrected identifier changes; writes nothing. Throws OperatorError where it can't be corrected so.
 * Sentences don't repeat the identifiers.
 */
export function planMapping(ledger: Ledger, correction: Correction): Mapping {
  const { old } = correction;
  const known = corrections(ledger);
  const problem = mappingProblem(correction, known, suppressedLearners(ledger));
  if (problem !== null) throw refusal(problem);
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

/**
 * Records that one identifier counts in another's place, from now on and in every file to come, and replaces what was
 * not delivered under the old one. What is under way or accepted is left alone. May be repeated, which picks up what an
 * interrupted one has left, and what was under way then.
 */
export async function mapLearner(
  ledger: Ledger,
  correction: Correction,
  who: string,
  because: string,
): Promise<Mapped> {
  const owner = thisProcess();
  // Whoever stages has read the corrections and would go on with the old identifier.
  const lease = takeLease(ledger, 'stage', owner, null);
  if (!isLease(lease)) {
    throw new OperatorError({
      operation: 'map a learner',
      subject: 'the ledger',
      message: `process ${lease.pid} is staging`,
      hint: 'Map again when it has ended.',
    });
  }
  return underLease(ledger, lease, () => mapUnderLease(ledger, correction, who, because));
}

/** The same for a caller that holds the stage lease. */
export async function mapUnderLease(
  ledger: Ledger,
  correction: Correction,
  who: string,
  because: string,
): Promise<Mapped> {
  const mapping = planMapping(ledger, correction);
  const { old, now } = correction;
  const decisionId = writing(ledger, () => {
    const selection = { old: old.hash, new: now.hash };
    const id =
      unfinishedDecision(ledger, 'map', selection) ??
      openDecision(ledger, { kind: 'map', who, because, selection });
    saveCorrection(ledger, correction, id);
    return id;
  });
  const moved = { made: 0, linked: 0, left: 0 };
  const identify = identifier(ledger, mapping);
  for (let start = 0; start < mapping.rows.length; start += PAGE) {
    const page = mapping.rows
      .slice(start, start + PAGE)
      .map((row) => ({ ...row, identified: identify(row) }));
    const { made, linked, left } = replaceRows(ledger, decisionId, page);
    moved.made += made;
    moved.linked += linked;
    moved.left += left;
    // Heartbeats and answers of other work get through.
    await new Promise((resolve) => setImmediate(resolve));
  }
  endHolds(ledger, old.hash);
  resolveAddressRows(ledger, old.hash, decisionId);
  closeDecision(ledger, decisionId);
  return { ...moved, mapping, decisionId, standing: standingOf(ledger, decisionId) };
}

/** The same record about the learner that counts, with its keys. */
function identifier(ledger: Ledger, { corrections }: Mapping) {
  const keys = keyMaker(ledger.salt);
  return ({ operation: name, environment, record }: LearnerRow) => {
    return recordIdentifier(operationNamed(name), environment, keys, corrections)(record);
  };
}

const REFUSALS: Readonly<Record<MappingProblem, { readonly message: string; readonly hint: string }>> = {
  same: { message: 'OLD and NEW are the same identifier', hint: 'Nothing is to be done.' },
  circle: {
    message: 'NEW has been mapped to OLD before, so that each would count in the place of the other',
    hint: 'If that was wrong, map NEW to the right identifier first; else the other way round is right already.',
  },
  forgotten: {
    message: 'a learner of these identifiers was forgotten on request; nothing about them may be kept',
    hint: 'Take the learner out of the files instead.',
  },
};

function refusal(problem: MappingProblem): OperatorError {
  return new OperatorError({ operation: 'map a learner', subject: 'OLD and NEW', ...REFUSALS[problem] });
}
