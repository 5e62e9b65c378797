import { isOfOtherTable } from '../domain/issue.js';
import type { Cell, Row } from '../domain/row.js';
import type { Operation } from '../operations/operation.js';
import { dateRules } from './field-reader.js';
import type { FoundHeader } from './mapping/find-header.js';
import { createRowNormaliser, type RowSource } from './normalise-row.js';
import type { CellCounts } from './profile/cell-counts.js';
import { NO_PROFILE, type Profile } from './profile/profile.js';
import type { RowWatch, WatchSource } from './profile/row-watch.js';
import { rowWatches } from './row-watches.js';
import { type ColumnOrder, createOrderEvidence } from './time/order-evidence.js';
import { createShapeEvidence, type IdShape } from './values/id-shape.js';
import { createScaleEvidence, type ProvenScale } from './values/score-scale.js';

/** The settings by which a source may declare what a profile would prove. */
export type ProfileSource = RowSource & WatchSource;

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
  source: ProfileSource,
  cells: CellCounts | null = null,
): Profile | null {
  const columns = columnsToProfile(header, operation, source);
  const watches = rowWatches(header, operation, source);
  if (columns.length + watches.length === 0) return { ...NO_PROFILE, ...counted(cells) };
  const add = rowAdder(header, operation, source, columns, watches, cells);
  for (const row of sample) add(row);
  if ([...columns, ...watches].some((asking) => asking.asksForAll())) return null;
  const watched = watches.filter((watch) => watch.isOpen()).map(({ name }) => name);
  return { ...profileOf(columns, watches, cells), isWhole: false, watched };
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
  source: ProfileSource,
  cells: CellCounts | null = null,
): Promise<Profile> {
  const columns = columnsToProfile(header, operation, source);
  const watches = rowWatches(header, operation, source);
  if (columns.length + watches.length === 0) return { ...NO_PROFILE, ...counted(cells) };
  const add = rowAdder(header, operation, source, columns, watches, cells);
  for await (const batch of rows) {
    for (const row of batch) add(row);
  }
  return profileOf(columns, watches, cells);
}

/** A column whose reading depends on a fact that the source doesn't declare. */
interface ProfiledColumn {
  readonly field: string;
  readonly index: number;
  add(cell: Cell | undefined, line: number): void;
  /** Adds a cell of a row that was skipped; absent: such rows say nothing about the column. */
  readonly doubt?: (cell: Cell | undefined, line: number) => void;
  /** True when the cells added can only be read with the whole column known. */
  asksForAll(): boolean;
  /** What the column says about the drop. */
  result(): Pick<Profile, 'issues'> & {
    readonly dateOrder?: ColumnOrder | null | undefined;
    readonly scale?: ProvenScale | null;
    readonly shape?: IdShape | undefined;
  };
}

function columnsToProfile(
  header: FoundHeader,
  operation: Operation,
  source: ProfileSource,
): readonly ProfiledColumn[] {
  const rules = dateRules(source);
  return operation.fields.flatMap(({ name, kind }): ProfiledColumn[] => {
    const column = header.match.mapped[name];
    if (column === undefined) return [];
    const place = { field: name, index: column.index };
    if (kind === 'timestamp' && source.datePatterns.length === 0) {
      const evidence = createOrderEvidence(rules, source.dateOrder !== undefined);
      return [
        {
          ...place,
          add: evidence.add,
          doubt: evidence.doubt,
          asksForAll: evidence.isAsked,
          result: () => ({
            dateOrder: evidence.order() ?? (source.dateOrder === undefined ? null : undefined),
            issues: [evidence.issue(column.header) ?? []].flat(),
          }),
        },
      ];
    }
    if (kind === 'score' && source.scale === undefined) {
      const evidence = createScaleEvidence(source.decimalMark ?? null);
      return [
        {
          ...place,
          add: evidence.add,
          asksForAll: evidence.isAsked,
          result: () => ({ scale: evidence.scale(), issues: [] }),
        },
      ];
    }
    if (kind === 'identifier' || kind === 'learner') {
      const evidence = createShapeEvidence();
      return [
        {
          ...place,
          add: evidence.add,
          asksForAll: evidence.isAsked,
          result: () => ({ shape: evidence.shape() ?? undefined, issues: [] }),
        },
      ];
    }
    return [];
  });
}

/**
 * The function that adds a row to all evidence. How a column is read is proven by rows that become records alone: a total, a
 * note, a repeated header, a skipped and an invalid row are no evidence, whatever stands in them. A skipped row is of the same
 * system, so its dates may contradict what the others prove. A row of another table is asked nothing at all.
 */
function rowAdder(
  header: FoundHeader,
  operation: Operation,
  source: ProfileSource,
  columns: readonly ProfiledColumn[],
  watches: readonly RowWatch[],
  cells: CellCounts | null,
): (row: Row) => void {
  const open = { ...NO_PROFILE, isWhole: false, ...counted(cells) };
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
    if (read.disposition === 'skipped') {
      for (const column of columns) column.doubt?.(row.cells[column.index], row.line);
    }
    if (read.disposition !== 'record' && !(read.disposition === 'undecided' && read.isSound)) return;
    for (const column of columns) column.add(row.cells[column.index], row.line);
    for (const watch of ofRecords) watch.add(row);
  };
}

/** The member of a profile, its last one because a digest depends on the order of the members. */
function counted(cells: CellCounts | null): Pick<Profile, 'cells'> {
  return cells === null ? {} : { cells };
}

/** A date in the future is a date: the present time decides about its row later. */
const LATER = { nowMs: () => Date.UTC(9999, 0) };

function profileOf(
  columns: readonly ProfiledColumn[],
  watches: readonly RowWatch[],
  cells: CellCounts | null,
): Profile {
  const results = columns.map((column) => ({ field: column.field, ...column.result() }));
  const only = <T>(pick: (result: (typeof results)[number]) => T | undefined): Record<string, T> =>
    Object.fromEntries(
      results.flatMap((result) => {
        const value = pick(result);
        return value === undefined ? [] : [[result.field, value]];
      }),
    );
  return {
    dateOrders: only(({ dateOrder }) => dateOrder),
    scales: only(({ scale }) => scale),
    shapes: only(({ shape }) => shape),
    isWhole: true,
    watched: [],
    implied: Object.assign({}, ...watches.map((watch) => watch.implied?.())),
    questions: watches.flatMap((watch) => watch.questions?.() ?? []),
    issues: [...results.flatMap(({ issues }) => issues), ...watches.flatMap((watch) => watch.issues())],
    ...counted(cells),
  };
}
