import {
  type ListedRun,
  type RunFacts,
  type RunsAsked,
  readRun,
  runPage,
} from '../../ledger/books/browse/run-page.js';
import type { ActionContext } from '../context.js';
import { type PageAsked, pageOf } from './page-of.js';

/** One page of runs, with how many there are. */
export interface RunsPage {
  readonly rows: readonly ListedRun[];
  readonly total: number;
  /** The number of the next page; null: this is the last. */
  readonly next: number | null;
}

/** Lists runs with what they did; the newest first unless asked otherwise. */
export async function browseRuns(
  { ledger }: ActionContext,
  asked: Omit<PageAsked, 'isMasked'> & Partial<Pick<RunsAsked, 'trigger' | 'end'>>,
): Promise<RunsPage> {
  const page = pageOf({ ...asked, isMasked: true });
  const { runs, total } = await runPage(ledger, {
    trigger: asked.trigger ?? null,
    end: asked.end ?? null,
    ...page,
  });
  return { rows: runs, total, next: page.nextOf(total) };
}

/** Reads all facts about one run but its rows; null where there is none of this number. */
export async function browseRun({ ledger }: ActionContext, runId: number): Promise<RunFacts | null> {
  return readRun(ledger, runId);
}
