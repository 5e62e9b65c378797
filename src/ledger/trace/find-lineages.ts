import { inTurn } from '../../domain/process/in-turn.js';
import type { Cell } from '../../domain/row.js';
import type { RowRef } from '../../domain/row-ref.js';
import { cellsAt } from '../drops/rows/kept-rows.js';
import { type TracedDrop, tracedDrop } from '../drops/traced-drops.js';
import { type Ledger, reading } from '../store/query.js';
import { type LineageRow, lineageOf, openMembers } from '../submissions/again/lineage.js';
import { findRow, type NamedDrop } from './find-traces.js';
import { submissionLife } from './submission-life.js';

/** The rows and submissions that stand for one record of a sender. Personal. */
export interface Lineage {
  /** The row that was asked about. */
  readonly rowRef: RowRef;
  /** Oldest first. */
  readonly rows: readonly LineageRow[];
  /** The last member that still waits for a person or for its delivery, which a correction would replace; null: there is none. */
  readonly open: (RowRef & OpenRow) | null;
}

interface OpenRow {
  readonly drop: TracedDrop;
  /** The cells as they were read; null where they were erased. */
  readonly cells: readonly Cell[] | null;
}

/** The rows and submissions that a text names by a submission's number or by file and line. */
export interface NamedLineages {
  readonly kind: 'submission' | 'row';
  /** One lineage for each row that was read there; empty where none was. */
  readonly lineages: readonly Lineage[];
  /** The drops of the file that was asked about. */
  readonly named: readonly NamedDrop[];
}

/**
 * Reads the lineages of the records that a text names: `#12` a submission, `file.csv:217` or `3:217` (a drop's number) rows; null
 * for any other text.
 */
export async function findLineages(ledger: Ledger, what: string): Promise<NamedLineages | null> {
  return reading(ledger, async (ledger) => {
    const found = await findRow(ledger, what);
    if (found === null) return null;
    const { submissionIds, named } = found;
    const isRow = found.kind === 'row';
    const rowRefs = isRow
      ? found.rowRefs
      : (await inTurn(submissionIds, async (id) => rowOf(ledger, id))).flat();
    const lineages = await inTurn(rowRefs, async (rowRef) => lineageAt(ledger, rowRef));
    return {
      kind: isRow ? 'row' : 'submission',
      lineages: lineages.filter(({ rows }) => rows.length > 0),
      named,
    };
  });
}

async function rowOf(ledger: Ledger, submissionId: number): Promise<RowRef[]> {
  const life = await submissionLife(ledger, submissionId);
  return life === null ? [] : [{ dropId: life.drop, line: life.line }];
}

async function lineageAt(ledger: Ledger, rowRef: RowRef): Promise<Lineage> {
  const rows = await lineageOf(ledger, rowRef);
  const last = (await openMembers(ledger, rowRef, null)).at(-1);
  if (last === undefined) return { rowRef, rows, open: null };
  const { dropId, line } = last;
  const drop = await tracedDrop(ledger, dropId);
  if (drop === undefined) throw new Error(`there is no drop ${dropId}`);
  return { rowRef, rows, open: { dropId, line, drop, cells: await cellsAt(ledger, last) } };
}
