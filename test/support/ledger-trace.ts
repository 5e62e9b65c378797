import { collected } from '../../src/domain/process/series.js';
import type { RowRef } from '../../src/domain/row-ref.js';
import { STATES } from '../../src/domain/submission.js';
import { decisionsNumbered, type KeptDecision } from '../../src/ledger/decisions/decision-log.js';
import { ledgerTotals } from '../../src/ledger/store/ledger-facts.js';
import type { Ledger } from '../../src/ledger/store/query.js';
import { selectedPages } from '../../src/ledger/submissions/select/selection.js';
import { type RowWithResult, readTrace, type Traces } from '../../src/ledger/trace/read-trace.js';
import type { TracedLife } from '../../src/ledger/trace/submission-life.js';
import { select } from './select.js';

/** The ledger's trace of `#7`, of `3:217` or of `file.csv:217`. */
export function traceOf(ledger: Ledger, what: string): Promise<Traces> {
  return readTrace(ledger, { what, learners: [], searchAll: false });
}

/** The lives of all submissions of published drops, by number: a test has few. */
export async function lives(ledger: Ledger): Promise<readonly TracedLife[]> {
  const all = await select(ledger, { states: STATES });
  const ids = all.map(({ submissionId }) => submissionId).sort((a, b) => a - b);
  const found: TracedLife[] = [];
  for (const id of ids) {
    const { lives } = await traceOf(ledger, `#${id}`);
    found.push(...lives.filter(({ submission }) => submission === id));
  }
  return found;
}

/** The outcome of the row at a place; throws where no row was read. */
export async function rowAt(ledger: Ledger, dropId: number, line: number): Promise<RowWithResult> {
  const { rows } = await traceOf(ledger, `${dropId}:${line}`);
  const row = rows.find((one) => one.dropId === dropId && one.line === line);
  if (!row) throw new Error(`nothing was read in line ${line} of drop ${dropId}`);
  return row;
}

/** The rows from this line of a drop on. */
export async function rowsFrom(
  ledger: Ledger,
  dropId: number,
  line: number,
): Promise<readonly RowWithResult[]> {
  const found: RowWithResult[] = [];
  for (let at = line; ; at += 1) {
    const { rows } = await traceOf(ledger, `${dropId}:${at}`);
    const row = rows.find((one) => one.dropId === dropId && one.line === at);
    if (!row) return found;
    found.push(row);
  }
}

/** Invalid rows that no decision has resolved, by place. */
export async function openRows(ledger: Ledger): Promise<readonly RowRef[]> {
  const found = (await collected(selectedPages(ledger, { states: ['invalid'] }))).flat();
  return found.map(({ drop: dropId, line }) => ({ dropId, line }));
}

/** All decisions, in the order in which they were made. */
export async function decisions(ledger: Ledger): Promise<readonly KeptDecision[]> {
  const { decisions: count } = await ledgerTotals(ledger);
  const found = await decisionsNumbered(
    ledger,
    Array.from({ length: count }, (_, index) => index + 1),
  );
  return [...found.values()];
}
