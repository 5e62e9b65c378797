import type { SourceConfig } from '../config/schema.js';
import type { Issue } from '../domain/issue.js';
import type { Cell, Row } from '../domain/row.js';
import type { Operation } from '../operations/operation.js';
import type { CellCounts } from './cell-counts.js';
import { dateRules } from './field-reader.js';
import type { FoundHeader } from './header/find-header.js';
import type { RowWatch, WatchSource } from './row-watch.js';
import { rowWatches } from './row-watches.js';
import type { DateOrder } from './time/date-order.js';
import { createOrderEvidence } from './time/order-evidence.js';
import type { ZoneNote } from './time/zone/zone-notes.js';
import { createShapeEvidence, type IdShape } from './values/id-shape.js';
import { createScaleEvidence, type ProvenScale } from './values/score-scale.js';

/** The facts that only a whole column can prove. */
export interface Profile {
  /** By timestamp field: the order that its column proves, null where nothing in it proves one. */
  readonly dateOrders: Readonly<Record<string, DateOrder | null>>;
  /** By score field: the scale that its column proves, null where nothing in it proves one. */
  readonly scales: Readonly<Record<string, ProvenScale | null>>;
  /** By field of identifiers: its column's evidence of damaged ones; absent where there is none. */
  readonly shapes: Readonly<Record<string, IdShape>>;
  /** False when it comes from the first rows alone: a row that needs more is then `undecided`. */
  readonly isWhole: boolean;
  /** Names of the questions that rows after the sample may still raise; empty where the profile covers the whole drop. */
  readonly watched: readonly string[];
  /** What lines below the header say about the zone of all times, where that isn't known without them; absent: nothing. */
  readonly zoneNotes?: readonly ZoneNote[];
  /** How many cells rows have; absent where that proves nothing: a sheet leaves out blank cells at the end of a row. */
  readonly cells?: CellCounts;
  /** Values that the column of another field implies, by field: addresses of pages have the type ContentUrl. */
  readonly implied: Readonly<Record<string, string>>;
  /** Questions that a person has to confirm before a drop is read so for the first time; each a whole sentence. */
  readonly questions: readonly Issue[];
  /** Why the drop as a whole cannot be understood; empty when it can. */
  readonly issues: readonly Issue[];
}

/** The settings by which a source may declare what a profile would prove. */
export type ProfileSource = Pick<
  SourceConfig,
  'dateOrder' | 'datePatterns' | 'twoDigitYears' | 'languages' | 'zoneNames' | 'scale' | 'decimalMark'
> &
  WatchSource;

/** The profile of a drop that needs none. */
export const NO_PROFILE: Profile = {
  dateOrders: {},
  scales: {},
  shapes: {},
  isWhole: true,
  watched: [],
  implied: {},
  questions: [],
  issues: [],
};

/**
 * The profile from a drop's first rows, so that nearly every drop is read once instead of twice. null where they show that the
 * whole drop must be profiled: a date whose order is open, a score between 0 and 1 and none above, an identifier that may be
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
): Profile | null {
  const columns = columnsToProfile(header, operation, source);
  const watches = rowWatches(header, operation, source);
  if (columns.length + watches.length === 0) return NO_PROFILE;
  for (const row of sample) addRow(row, header, columns, watches);
  if ([...columns, ...watches].some((asking) => asking.asksForAll())) return null;
  const watched = watches.filter((watch) => watch.isOpen()).map(({ name }) => name);
  return { ...profileOf(columns, watches), isWhole: false, watched };
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
): Promise<Profile> {
  const columns = columnsToProfile(header, operation, source);
  const watches = rowWatches(header, operation, source);
  if (columns.length + watches.length === 0) return NO_PROFILE;
  for await (const batch of rows) {
    for (const row of batch) addRow(row, header, columns, watches);
  }
  return profileOf(columns, watches);
}

/** A column whose reading depends on a fact that the source doesn't declare. */
interface ProfiledColumn {
  readonly field: string;
  readonly index: number;
  add(cell: Cell | undefined, line: number): void;
  /** True when the cells added can only be read with the whole column known. */
  asksForAll(): boolean;
  /** What the column says about the drop. */
  result(): Pick<Profile, 'issues'> & {
    readonly dateOrder?: DateOrder | null;
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
    if (kind === 'timestamp' && source.dateOrder === undefined && source.datePatterns.length === 0) {
      const evidence = createOrderEvidence(rules);
      return [
        {
          ...place,
          add: evidence.add,
          asksForAll: evidence.isAsked,
          result: () => ({
            dateOrder: evidence.order(),
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
          // A scale of 100 is proven by one row, wherever it stands.
          asksForAll: () => evidence.isAsked() && evidence.scale()?.scale !== '0-100',
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

function addRow(
  row: Row,
  header: FoundHeader,
  columns: readonly ProfiledColumn[],
  watches: readonly RowWatch[],
): void {
  if (row.line <= header.line) return;
  for (const watch of watches) watch.add(row);
  for (const column of columns) column.add(row.cells[column.index], row.line);
}

function profileOf(columns: readonly ProfiledColumn[], watches: readonly RowWatch[]): Profile {
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
  };
}
