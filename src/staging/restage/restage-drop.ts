import type { SourceConfig } from '../../config/schema.js';
import type { Restaged } from '../../documents/decided.js';
import { OperatorError } from '../../domain/operator-error.js';
import type { Row } from '../../domain/row.js';
import { type RestageFacts, restageFacts } from '../../ledger/drops/again/restage-facts.js';
import type { PublishedDrop } from '../../ledger/drops/published-drops.js';
import { keptRows } from '../../ledger/drops/rows/kept-rows.js';
import { pagesOf } from '../../ledger/store/pages.js';
import type { Ledger } from '../../ledger/store/query.js';
import { closeOriginals } from '../../ledger/submissions/again/close-originals.js';
import {
  type RestagedRow,
  restagePage,
  type SkippedRow,
} from '../../ledger/submissions/again/restage-page.js';
import { applyDrop } from '../../ledger/submissions/staging/apply-drop.js';
import { sameKeysAgain } from '../../ledger/submissions/staging/same-key.js';
import type { PreparedRow } from '../../ledger/submissions/staging/staged-rows.js';
import { operationNamed } from '../../operations/registry.js';
import { readAgain } from '../../reading/read-again.js';
import { requireKnownSettings } from '../key-settings.js';
import { preparationNow } from '../prepare/preparation-now.js';
import { independentPreparer, rowPreparer } from '../prepare/prepare-rows.js';
import { stagingTarget } from '../stage-context.js';

/** The decision that a restage carries out. */
interface RestageDecision {
  readonly decisionId: number;
  readonly runId: number | null;
  /** Carries out one transaction for each step. */
  carry(pages: AsyncGenerator<void, void, undefined>): Promise<void>;
}

/** A drop's open invalid rows, read by the source's settings of today. */
export interface InvalidRead {
  /** Invalid rows that are open. */
  readonly open: number;
  /** The rows among them that are records now, in line order. */
  readonly records: readonly (PreparedRow & { readonly kind: 'record' })[];
  /** The rows among them that are skipped now. */
  readonly skipped: readonly SkippedRow[];
  /** The first issues of the rows that are still invalid. */
  readonly issues: Restaged['issues'];
}

/** Issues that are shown of rows that are still invalid. */
const SHOWN = 20;

/** Reads a drop's invalid rows again from the kept cells. Writes nothing. Throws OperatorError where they can't be read. */
export async function readInvalidAgain(
  ledger: Ledger,
  drop: PublishedDrop,
  source: SourceConfig,
  { openLines: open, isCorrection }: RestageFacts,
): Promise<InvalidRead> {
  const prepare = await preparerFor(ledger, drop, source, open, isCorrection);
  const invalid: PreparedRow[] = [];
  for await (const row of keptRows(ledger, drop.dropId)) {
    const again = prepare(row);
    if (again !== null && open.has(row.line)) invalid.push(again);
  }
  const records = invalid.filter((row) => row.kind === 'record');
  const { environment, sameKey } = source;
  const target = { operation: operationNamed(source.operation), environment };
  const setAside = await sameKeysAgain(ledger, drop.dropId, target, sameKey, records);
  const judged = invalid.map((row): PreparedRow => {
    const verdict = setAside.get(row.line);
    return verdict === undefined ? row : { line: row.line, ...verdict };
  });
  const issues = judged.flatMap((row) =>
    'issues' in row && row.kind !== 'skipped'
      ? row.issues.map((issue) => ({ line: row.line, ...issue }))
      : [],
  );
  return {
    open: open.size,
    records: judged.filter((row) => row.kind === 'record'),
    skipped: judged.filter((row): row is SkippedRow => row.kind === 'skipped'),
    issues: issues.slice(0, SHOWN),
  };
}

/**
 * Normalises a drop's invalid rows again from the kept cells, after its source was corrected. A row that is a record now
 * becomes a submission, made by this decision, and a row that is skipped now is resolved; rows keep their disposition. May be
 * repeated, which picks up what an interrupted call has left.
 */
export async function restageDrop(
  ledger: Ledger,
  drop: PublishedDrop,
  source: SourceConfig,
  { decisionId, runId, carry }: RestageDecision,
): Promise<Restaged> {
  const { dropId } = drop;
  await requireKnownSettings(ledger, source, null);
  const facts = await restageFacts(ledger, dropId);
  const target = { ...stagingTarget(dropId, source), decisionId };
  const counts = { made: 0, repeated: 0, skipped: 0 };
  const { open, records, skipped, issues } = await readInvalidAgain(ledger, drop, source, facts);
  await carry(pages([...records, ...skipped]));
  await carry(applyDrop(ledger, dropId, runId));
  await carry(closeOriginals(ledger, dropId, decisionId, runId, 'restaged'));
  const still = open - records.length - skipped.length;
  return { open, ...counts, still, issues };

  async function* pages(rows: readonly RestagedRow[]): AsyncGenerator<void> {
    for (const page of pagesOf(rows)) {
      const { made, repeated, skipped } = await restagePage(ledger, target, page);
      counts.made += made;
      counts.repeated += repeated;
      counts.skipped += skipped;
      yield;
    }
  }
}

/** Returns a function that reads a row by the source's settings of today; null for rows of other lines. */
async function preparerFor(
  ledger: Ledger,
  drop: PublishedDrop,
  source: SourceConfig,
  lines: ReadonlySet<number>,
  isCorrection: boolean,
): Promise<(row: Row) => PreparedRow | null> {
  const countsCells = drop.format === 'csv' && !isCorrection;
  const again = await readAgain(ledger, { ...drop, countsCells }, source, lines);
  if (again.kind === 'again') {
    const preparation = await preparationNow(ledger, source);
    if (isCorrection) {
      const prepare = independentPreparer(preparation);
      return (row) => (lines.has(row.line) ? prepare(again.of(row.line), row) : null);
    }
    // All rows are prepared, because how a row is read depends on the rows above it.
    const [plan] = again.readings.values();
    return plan ? rowPreparer(preparation, plan) : () => null;
  }
  throw new OperatorError({
    operation: 'restage a drop',
    subject: drop.file,
    message: again.issues.map(({ message }) => message).join('; '),
    hint: again.issues.map(({ remedy }) => remedy).join(' '),
  });
}
