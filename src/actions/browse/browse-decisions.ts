import {
  type DecisionsAsked,
  decisionPage,
  type ListedDecision,
  readDecision,
} from '../../ledger/books/browse/decision-page.js';
import { type ListedRow, listedRow } from '../../report/listed-row.js';
import type { ActionContext } from '../context.js';
import { type PageAsked, pageOf } from './page-of.js';

/** One page of decisions, with how many there are. */
export interface DecisionsPage {
  readonly rows: readonly ListedDecision[];
  readonly total: number;
  /** The number of the next page; null: this is the last. */
  readonly next: number | null;
}

/** Lists decisions, the newest first unless asked otherwise. Masked, the reasons are left out: people may have named somebody. */
export async function browseDecisions(
  { ledger }: ActionContext,
  asked: PageAsked & Partial<Pick<DecisionsAsked, 'kind' | 'who' | 'door'>>,
): Promise<DecisionsPage> {
  const { kind = null, who = null, door = null, isMasked } = asked;
  const page = pageOf(asked);
  const { decisions, total } = await decisionPage(ledger, { kind, who, door, ...page });
  return {
    rows: decisions.map((decision) => (isMasked ? { ...decision, because: null } : decision)),
    total,
    next: page.nextOf(total),
  };
}

/** A decision with a page of the rows that it is about. */
export interface BrowsedDecision {
  readonly decision: ListedDecision;
  /** Submissions by their numbers, as they are now. */
  readonly rows: readonly ListedRow[];
  /** The number after which the next page begins; null: there are no more. */
  readonly next: number | null;
  readonly listed: number;
  readonly made: number;
  readonly resolved: number;
  /** The first of the invalid rows that it resolved. */
  readonly firstResolved: readonly ListedRow[];
}

/** Reads a decision with a page of the rows that it is about; null where there is none of this number. */
export async function browseDecision(
  { ledger }: ActionContext,
  {
    decisionId,
    after = null,
    ...asked
  }: Pick<PageAsked, 'limit' | 'isMasked'> & {
    readonly decisionId: number;
    /** The number after which the page begins; null: the first. */
    readonly after?: number | null;
  },
): Promise<BrowsedDecision | null> {
  const { isMasked } = asked;
  const { limit } = pageOf(asked);
  const found = await readDecision(ledger, decisionId, { after: after ?? 0, limit });
  if (found === null) return null;
  return {
    ...found,
    decision: isMasked ? { ...found.decision, because: null } : found.decision,
    rows: found.rows.map((row) => listedRow(row, isMasked)),
    firstResolved: found.firstResolved.map((row) => listedRow(row, isMasked)),
  };
}
