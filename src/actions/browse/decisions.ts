import {
  type DecisionInFull,
  type DecisionsAsked,
  type ListedDecisions,
  type LoggedDecision,
  listDecisions,
  readDecision,
} from '../../ledger/decisions/decision-list.js';
import { requireInPlace } from '../../upkeep/expected-ledger.js';
import type { ActionContext } from '../context.js';

/** The log of decisions, a page at a time. Masked, reasons are left out: they are free text, and may name somebody. */
export async function decisionList(
  { ledger }: ActionContext,
  { isMasked, ...asked }: DecisionsAsked & { readonly isMasked: boolean },
): Promise<ListedDecisions> {
  requireInPlace(ledger);
  const { rows, ...list } = await listDecisions(ledger, asked);
  return { ...list, rows: isMasked ? rows.map(masked) : rows };
}

/** Which decision, and which of its rows. */
export interface DecisionAsked {
  readonly decision: number;
  /** The row after which its rows go on; null: from the first. */
  readonly after: number | null;
  /** The most rows of one answer. */
  readonly most: number;
  readonly isMasked: boolean;
}

/** One decision with the rows that it lists; null where there is none of this number. */
export async function decisionInFull(
  { ledger }: ActionContext,
  { decision, isMasked, ...rows }: DecisionAsked,
): Promise<DecisionInFull | null> {
  requireInPlace(ledger);
  const found = await readDecision(ledger, decision, rows);
  return found !== null && isMasked ? masked(found) : found;
}

/** A selection's texts but for its states and causes name content, files or hashes of learners; the first two are nobody's. */
function masked<Decision extends LoggedDecision>(decision: Decision): Decision {
  return { ...decision, because: null };
}
