import type { Decider } from '../domain/decider.js';
import { OperatorError } from '../domain/operator-error.js';
import type { State } from '../domain/submission.js';
import { resolveAddressRows } from '../ledger/address-rows.js';
import { inTheEnd, type MappingProblem, mappingProblem } from '../ledger/corrected-learners.js';
import { type Correction, corrections, type Identified, saveCorrection } from '../ledger/corrections.js';
import { openDecision, openDecisionNumbered, unfinishedDecision } from '../ledger/decision-log.js';
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
import { inPages, pagesOf } from '../ledger/pages.js';
import { type Ledger, writing } from '../ledger/query.js';
import { recordIdentifier } from '../ledger/record-identifier.js';
import { suppressedLearners } from '../ledger/suppressions.js';
import { operationNamed } from '../operations/registry.js';
import type { ActionContext } from './context.js';
import { carryToItsEnd } from './decision/carry-to-its-end.js';
import { decide } from './decision/decide.js';
import type { Deed } from './decision/deed.js';

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

/**
 * Works out what a corrected identifier changes; writes nothing. Throws OperatorError where it can't be corrected so.
 * Sentences don't repeat the identifiers.
 */
export function plan({ ledger }: Pick<ActionContext, 'ledger'>, correction: Correction): Mapping {
  const known = corrections(ledger);
  const problem = mappingProblem(correction, known, suppressedLearners(ledger));
  if (problem !== null) throw refusal(problem);
  return planOf(ledger, correction, known);
}

/**
 * Records that one identifier counts in another's place, from now on and in every file to come, and replaces what was
 * not delivered under the old one. What is under way or accepted is left alone; the same once more picks up what was under
 * way then.
 */
export async function carryOut(
  context: ActionContext,
  { correction }: Mapping,
  who: Decider,
  because: string,
): Promise<Mapped> {
  const mapping = plan(context, correction);
  const asked = { operation: 'map a learner', subject: 'the ledger' };
  const open = () => openMapping(context.ledger, correction, who, because);
  const { decisionId, done } = await decide(context, mapDeed, open, { asked });
  return { ...done, mapping, decisionId, standing: standingOf(context.ledger, decisionId) };
}

/** The same for a caller that stages, and so holds the lease. */
export async function carryOutUnderLease(
  context: ActionContext,
  correction: Correction,
  who: Decider,
  because: string,
): Promise<void> {
  const { ledger } = context;
  plan(context, correction);
  const decision = openDecisionNumbered(ledger, openMapping(ledger, correction, who, because));
  if (decision !== null) await carryToItsEnd(context, mapDeed, decision, null);
}

/** How the rows of a mapped learner are replaced. Whoever stages has read the corrections, and would use the old identifier. */
export const mapDeed: Deed<MovedRows> = {
  leases: () => ['stage'],
  async carryOut({ ledger }, { decisionId, selection }) {
    const moved = { made: 0, linked: 0, left: 0 };
    const known = corrections(ledger);
    const correction = known.find(({ old, now }) => old.hash === selection.old && now.hash === selection.new);
    // Both may have been forgotten meanwhile.
    if (correction === undefined) return moved;
    const mapping = planOf(ledger, correction, known);
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
    await inPages(ledger, replace());
    endHolds(ledger, correction.old.hash);
    resolveAddressRows(ledger, correction.old.hash, decisionId);
    return moved;
  },
};

function planOf(ledger: Ledger, correction: Correction, known: readonly Correction[]): Mapping {
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

function openMapping(ledger: Ledger, correction: Correction, who: Decider, because: string): number {
  return writing(ledger, () => {
    const selection = { old: correction.old.hash, new: correction.now.hash };
    const id =
      unfinishedDecision(ledger, 'map', selection) ??
      openDecision(ledger, { kind: 'map', who, because, selection });
    saveCorrection(ledger, correction, id);
    return id;
  });
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
