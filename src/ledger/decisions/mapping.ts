import type { StandingRows } from '../../documents/decided.js';
import {
  type Correction,
  inTheEnd,
  type MappingProblem,
  mappingProblem,
} from '../../domain/learners/corrected-learners.js';
import { keyMaker } from '../../operations/keys.js';
import { recordIdentifier } from '../../operations/prepared-record.js';
import { operationNamed } from '../../operations/registry.js';
import { paged } from '../leases/leave-room.js';
import { pagesOf } from '../store/pages.js';
import { type Ledger, reading, writing } from '../store/query.js';
import type { RecordedDecision } from './decision-log.js';
import { corrections, suppressedLearners } from './known-learners.js';
import {
  endHolds,
  type MovedRows,
  replaceRows,
  rowsToMap,
  standingOf,
  statesOfLearner,
} from './learner-rows.js';

/** What mapping a learner would do. Personal. */
export type Mapping = Awaited<ReturnType<typeof mappingOf>>;

/** Says what a corrected identifier would change in the ledger now, or why it can't be corrected so. */
export async function planMapping(ledger: Ledger, correction: Correction): Promise<Mapping | MappingProblem> {
  return reading(ledger, async (ledger) => {
    const known = await corrections(ledger);
    const problem = mappingProblem(correction, known, await suppressedLearners(ledger));
    return problem ?? mappingOf(ledger, correction, known);
  });
}

type OpenMapping = Pick<RecordedDecision, 'decisionId' | 'selection'>;

/**
 * Replaces the undelivered submissions of a mapped learner's old identifier, a transaction for each step, and returns at the end
 * the states of their replacements, whichever process made them. Steps that are done stay done, and are skipped on a repeat.
 */
export async function* mapLearner(
  ledger: Ledger,
  decision: OpenMapping,
): AsyncGenerator<MovedRows, readonly StandingRows[], undefined> {
  yield* paged(ledger, mapPages(ledger, decision));
  return standingOf(ledger, decision.decisionId);
}

/** Rows replaced in one transaction. Each takes some thirty statements: with more rows, others who write would wait for seconds. */
const MAPPED_ROWS = 50;

/** The last transaction ends the learner's holds. */
async function* mapPages(ledger: Ledger, { decisionId, selection }: OpenMapping): AsyncGenerator<MovedRows> {
  const known = await corrections(ledger);
  const correction = known.find(({ old, now }) => old.hash === selection.old && now.hash === selection.new);
  // Both may have been forgotten meanwhile.
  if (correction === undefined) return;
  const { rows, corrections: all } = await mappingOf(ledger, correction, known);
  const keys = keyMaker(ledger.salt);
  const identified = rows.map((row) => {
    const target = { operation: operationNamed(row.operation), environment: row.environment };
    // The same record about the learner that counts, with its keys.
    return { ...row, identified: recordIdentifier(target, keys, all)(row.record) };
  });
  for (const page of pagesOf(identified, MAPPED_ROWS)) yield await replaceRows(ledger, decisionId, page);
  await writing(ledger, async (ledger) => endHolds(ledger, correction.old.hash));
}

async function mappingOf(ledger: Ledger, correction: Correction, known: readonly Correction[]) {
  const { old } = correction;
  const others = known.filter((other) => other.old.hash !== old.hash);
  const now = inTheEnd(correction, others);
  return {
    correction,
    /** The learner that counts in the end: the new identifier may have been corrected before. */
    now,
    /** All corrections, with this one. */
    corrections: [...others, correction],
    replacesEarlier: others.length < known.length,
    /** Submissions that would be replaced. */
    rows: await rowsToMap(ledger, old.hash, now.hash),
    /** Submissions of the old identifier by state, before. */
    states: await statesOfLearner(ledger, old.hash),
  };
}
