import {
  type DecisionInFull,
  type DecisionsAsked,
  type ListedDecisions,
  listDecisions,
  readDecision,
} from '../../ledger/decisions/decision-list.js';
import { requireInPlace } from '../../upkeep/expected-ledger.js';
import type { ActionContext } from '../context.js';

/** The log of decisions, a page at a time. Personal: reasons are free text. */
export async function decisionList(
  { ledger }: ActionContext,
  asked: DecisionsAsked,
): Promise<ListedDecisions> {
  requireInPlace(ledger);
  return listDecisions(ledger, asked);
}

/** Which decision, and which of its rows. */
export interface DecisionAsked {
  readonly decision: number;
  /** The row after which its rows go on; null: from the first. */
  readonly after: number | null;
  /** The most rows of one answer. */
  readonly most: number;
}

/** One decision with the rows that it lists; null where there is none of this number. */
export async function decisionInFull(
  { ledger }: ActionContext,
  { decision, ...rows }: DecisionAsked,
): Promise<DecisionInFull | null> {
  requireInPlace(ledger);
  return readDecision(ledger, decision, rows);
}
