import type { ListedRow } from '../../documents/rows.js';
import {
  personRows,
  type RowStanding,
  type RowWithStanding,
  searchLedger,
} from '../../ledger/trace/search-ledger.js';
import { listedRow } from '../../report/listed-row.js';
import type { ActionContext } from '../context.js';
import { learnersNamed } from '../learners/learners-named.js';

/** Finds what a text names or is part of. @param search as typed; not empty. Personal. */
export async function search(
  { ledger }: ActionContext,
  { search, limit }: { readonly search: string; readonly limit: number },
) {
  const text = search.trim();
  const words = text.toLowerCase().split(/\s+/);
  const matches = await searchLedger(ledger, { words, text, learners: learnersNamed(ledger, text), limit });
  const { rows, refused } = matches;
  return {
    ...matches,
    rows: { ...rows, first: rows.first.map(matchedRow) },
    refused: refused.map(matchedRow),
  };
}

/** A row as lists show it, and where it is. Personal. */
export interface MatchedRow extends ListedRow {
  readonly standing: RowStanding;
}

/** Reads one page of a learner's rows, delivered ones included. Personal. */
export async function person(
  { ledger }: ActionContext,
  { learner, ...page }: { readonly learner: string; readonly from: number; readonly count: number },
) {
  const { rows, ...others } = await personRows(ledger, learnersNamed(ledger, learner), page);
  return { ...others, rows: rows.map(matchedRow) };
}

function matchedRow({ row, standing }: RowWithStanding): MatchedRow {
  return { ...listedRow(row), standing };
}
