import { isOfOtherTable } from '../domain/issue.js';
import type { Row } from '../domain/row.js';
import type { Operation } from '../operations/operation.js';
import { dateRules, type RowSource } from './field-reader.js';
import type { FoundHeader } from './mapping/find-header.js';
import { createRowNormaliser, rowWatches } from './normalise-row.js';
import type { CellCounts } from './profile/cell-counts.js';
import { type Findings, NO_PROFILE, type Profile, type RowWatch } from './profile/profile.js';
import { createOrderEvidence, type OrderEvidence } from './time/order-evidence.js';
import { createShapeEvidence } from './values/identifier.js';
import type { ColumnEvidence } from './values/reading.js';
import { createScaleEvidence } from './values/score.js';

/**
 * The profile from a drop's first rows, so that nearly every drop is read once instead of twice. null where they show that the
 * whole drop must be profiled: a date whose order is open, a score up to 10 and none above, an identifier that may be
 * damaged, or rows that raise a question about the drop (`RowWatch`). Nothing is assumed about the following rows. The row
 * normaliser returns `undecided` for a row that needs more; then the drop must be profiled by `profileDrop` and normalised again
 * from its beginning, and with that profile no row is undecided. Where no row is undecided, a profile of the whole drop would
 * read every row the same.
 */
export function profileSample(
  sample: readonly Row[],
  header: FoundHeader,
  operation: Operation,
  source: RowSource,
  cells: CellCounts | null = null,
): Profile | null {
  const watches = allWatches(header, operation, source);
  if (watches.length === 0) return profileOf([], cells);
  const add = rowAdder(header, operation, source, watches, cells);
  for (const row of sample) add(row);
  if (watches.some((watch) => watch.asksForAll())) return null;
  const watched = watches.filter((watch) => watch.isOpen()).map(({ name }) => name);
  return { ...profileOf(watches, cells), isWhole: false, watched };
}

/**
 * Reads all rows once for the facts that only the whole column can prove. Numeric dates prove the order of day and month when
 * some date is possible in only one order, and no date in only the other; a column with both is an issue of the drop. For the
 * scale of plain scores see `createScaleEvidence`. Keeps a line of evidence, however long the drop is.
 */
export async function profileDrop(
  rows: AsyncIterable<readonly Row[]>,
  header: FoundHeader,
  operation: Operation,
  source: RowSource,
  cells: CellCounts | null = null,
): Promise<Profile> {
  const watches = allWatches(header, operation, source);
  if (watches.length === 0) return profileOf([], cells);
  const add = rowAdder(header, operation, source, watches, cells);
  for await (const batch of rows) {
    for (const row of batch) add(row);
  }
  return profileOf(watches, cells);
}

function allWatches(header: FoundHeader, operation: Operation, source: RowSource): readonly RowWatch[] {
  return [...columnWatches(header, operation, source), ...rowWatches(header, operation, source)];
}

/** A watch for each column whose reading depends on a fact that the source doesn't declare. */
function columnWatches(header: FoundHeader, operation: Operation, source: RowSource): readonly RowWatch[] {
  return operation.fields.flatMap(({ name, kind }): RowWatch[] => {
    const column = header.match.mapped[name];
    if (column === undefined) return [];
    const watch = (
      evidence: Omit<ColumnEvidence<unknown>, 'proof'> & Partial<Pick<OrderEvidence, 'doubt'>>,
      result: RowWatch['result'],
    ): RowWatch[] => [
      {
        name,
        isOfRecords: true,
        add: ({ cells, line }) => evidence.add(cells[column.index], line),
        doubt: ({ cells, line }) => evidence.doubt?.(cells[column.index], line),
        asksForAll: evidence.isAsked,
        // A cell that needs the whole column is undecided by itself.
        isOpen: () => false,
        result,
      },
    ];
    if (kind === 'timestamp' && source.datePatterns.length === 0) {
      const evidence = createOrderEvidence(dateRules(source), source.dateOrder !== undefined);
      return watch(evidence, () => ({
        dateOrders: source.dateOrder === undefined ? { [name]: evidence.proof() } : {},
        issues: [evidence.issue(column.header) ?? []].flat(),
      }));
    }
    if (kind === 'score' && source.scale === undefined) {
      const evidence = createScaleEvidence(source.decimalMark ?? null);
      return watch(evidence, () => ({ scales: { [name]: evidence.proof() } }));
    }
    if (kind === 'identifier' || kind === 'learner') {
      const evidence = createShapeEvidence();
      return watch(evidence, () => {
        const shape = evidence.proof();
        return { shapes: shape === null ? {} : { [name]: shape } };
      });
    }
    return [];
  });
}

/**
 * The function that adds a row to all evidence. How a column is read is proven by rows that become records alone: a total, a
 * note, a repeated header, a skipped and an invalid row are no evidence, whatever they hold. A skipped row is of the same
 * system, so its dates may contradict what the others prove. A row of another table adds nothing at all.
 */
function rowAdder(
  header: FoundHeader,
  operation: Operation,
  source: RowSource,
  watches: readonly RowWatch[],
  cells: CellCounts | null,
): (row: Row) => void {
  const open = { ...profileOf([], cells), isWhole: false };
  // Without a zone no row is a record yet, and each is as good a proof.
  const zoned = { ...source, timeZone: source.timeZone ?? 'UTC' };
  const normalise = createRowNormaliser(operation, zoned, header, open, LATER);
  const ofRecords = watches.filter(({ isOfRecords }) => isOfRecords);
  const ofAll = watches.filter(({ isOfRecords }) => !isOfRecords);
  return (row) => {
    // Also those above the header: how a row is judged depends on the rows above it.
    const read = normalise(row);
    if (row.line <= header.line || ('issues' in read && isOfOtherTable(read.issues))) return;
    for (const watch of ofAll) watch.add(row);
    const isRecord = read.disposition === 'record' || (read.disposition === 'undecided' && read.isSound);
    for (const watch of ofRecords) {
      if (isRecord) watch.add(row);
      else if (read.disposition === 'skipped') watch.doubt?.(row);
    }
  };
}

/** A date in the future is a date: the present time decides about its row later. */
const LATER = { nowMs: () => Date.UTC(9999, 0) };

function profileOf(watches: readonly RowWatch[], cells: CellCounts | null): Profile {
  const results = watches.map((watch) => watch.result());
  const merged = <K extends keyof Findings>(key: K): Findings[K] =>
    Object.assign({}, ...results.map((result) => result[key]));
  return {
    ...NO_PROFILE,
    dateOrders: merged('dateOrders'),
    scales: merged('scales'),
    shapes: merged('shapes'),
    implied: merged('implied'),
    issues: results.flatMap(({ issues = [] }) => issues),
    ...(cells === null ? {} : { cells }),
  };
}
