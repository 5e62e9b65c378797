import type { Place } from '../../domain/place.js';
import { inTurn } from '../../domain/process/in-turn.js';
import type { Cell } from '../../domain/row.js';
import { type Ledger, reading } from '../store/query.js';
import { findRow, type NamedDrop } from '../trace/find-traces.js';
import { submissionLife } from '../trace/submission-life.js';
import { type TracedDrop, tracedDrop } from '../trace/traced-rows.js';
import { type LineageRow, lineageOf, openMembers } from './lineage.js';
import { cellsByLine } from './row-blocks.js';

/** All that stands for one record of a sender. Personal. */
export interface Lineage {
  /** Of the row that was asked about. */
  readonly place: Place;
  /** Oldest first. */
  readonly rows: readonly LineageRow[];
  /** The last of it that still waits for somebody or for its delivery, which a correction takes the place of; null: none does. */
  readonly open: (Place & OpenRow) | null;
}

interface OpenRow {
  readonly drop: TracedDrop;
  /** As they were read; null where they were erased, or are not what was written. */
  readonly cells: readonly Cell[] | null;
}

/** What a text names that is the number of a submission or the place of a row. */
export interface NamedLineages {
  readonly kind: 'submission' | 'row';
  /** Of each row that was read there; none: nothing was. */
  readonly lineages: readonly Lineage[];
  /** The drops of the file that was asked about. */
  readonly named: readonly NamedDrop[];
}

/**
 * Reads all that stands for the records that a text names: `#12` a submission, `file.csv:217` or `3:217` (a drop's number)
 * rows; null for any other text.
 */
export async function findLineages(ledger: Ledger, what: string): Promise<NamedLineages | null> {
  return reading(ledger, async (ledger) => {
    const found = await findRow(ledger, what);
    if (found === null) return null;
    const { submissionIds, named } = found;
    const isRow = found.kind === 'row';
    const places = isRow
      ? found.places
      : (await inTurn(submissionIds, async (id) => placeOf(ledger, id))).flat();
    const lineages = await inTurn(places, async (place) => lineageAt(ledger, place));
    return {
      kind: isRow ? 'row' : 'submission',
      lineages: lineages.filter(({ rows }) => rows.length > 0),
      named,
    };
  });
}

async function placeOf(ledger: Ledger, submissionId: number): Promise<Place[]> {
  const life = await submissionLife(ledger, submissionId);
  return life === null ? [] : [{ dropId: life.dropId, line: life.line }];
}

async function lineageAt(ledger: Ledger, place: Place): Promise<Lineage> {
  const rows = lineageOf(ledger, place);
  const last = openMembers(ledger, place, null).at(-1);
  if (last === undefined) return { place, rows, open: null };
  const { dropId, line } = last;
  const drop = await tracedDrop(ledger, dropId);
  if (drop === undefined) throw new Error(`there is no drop ${dropId}`);
  return { place, rows, open: { dropId, line, drop, cells: await cellsByLine(ledger, dropId)(line) } };
}
