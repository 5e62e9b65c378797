import type { SourceConfig } from '../config/schema.js';
import { isOfOtherTable } from '../domain/issue.js';
import type { Row } from '../domain/row.js';
import { claimsOf, createNoteFinder, dateRules } from '../normalise/field-reader.js';
import type { FoundHeader, TableRules } from '../normalise/mapping/find-header.js';
import { createSampleNormaliser, rowWatches } from '../normalise/normalise-row.js';
import {
  cellCounts,
  type Findings,
  NO_PROFILE,
  type Profile,
  type RowWatch,
} from '../normalise/profile/profile.js';
import { createOrderEvidence, type OrderEvidence } from '../normalise/time/order-evidence.js';
import { namesOtherZone, type ZoneNote } from '../normalise/time/zone/zone-notes.js';
import { createShapeEvidence } from '../normalise/values/identifier.js';
import type { ColumnEvidence } from '../normalise/values/reading.js';
import { createScaleEvidence } from '../normalise/values/score.js';
import { operationNamed } from '../operations/registry.js';

/** Rows looked at to find the header: 30 lines of preamble and some data below. */
export const SAMPLE_ROWS = 60;

/** A table whose rows come from a file, or from the cells that the ledger has kept of a file. */
export interface Table {
  readonly header: FoundHeader;
  /** Its first rows, with those above the header. */
  readonly sample: readonly Row[];
  /** True for a text file, whose rows may have lost a cell; a sheet leaves out blank cells at the end of a row. */
  readonly countsCells: boolean;
  /** Its notes on the zone of times below the header, where they are known before its rows are read; absent: they aren't. */
  readonly zoneNotes?: readonly ZoneNote[];
  /** All of its rows, each time from the first on. */
  rows(): AsyncIterable<readonly Row[]>;
}

/** How much of a table its profile is made from. `sample`: the first rows alone, where these allow it. `whole`: all rows. */
export type ProfileExtent = 'sample' | 'whole';

/** What a table's columns prove. Under a profile of the sample a row may be `undecided`; under a profile of the whole table none is. */
export async function profileOf(
  table: Table,
  source: SourceConfig,
  profiled: ProfileExtent,
): Promise<Profile> {
  return (profiled === 'sample' ? sampleProfile(table, source) : null) ?? wholeProfile(table, source);
}

/**
 * What a table's first rows prove, so that nearly every drop is read once instead of twice; null where they show that all rows are
 * needed. Nothing is assumed about the following rows: the row normaliser returns `undecided` for one that needs more, and then the drop
 * must be profiled as a whole and normalised again. Where none is, a profile of the whole drop would read every row the same.
 */
export function sampleProfile(table: Table, source: SourceConfig): Profile | null {
  const { add, watches, profile } = createProfiler(table, source);
  for (const row of table.sample) add(row);
  if (watches.some((watch) => watch.asksForAll())) return null;
  return { ...profile(), isWhole: false };
}

/** What all rows of a table prove. Keeps some lines of evidence, however long the table is. */
export async function wholeProfile(table: Table, source: SourceConfig): Promise<Profile> {
  const { add, profile } = createProfiler(table, source);
  for await (const batch of table.rows()) {
    for (const row of batch) add(row);
  }
  return profile();
}

/**
 * Collects what rows prove: how a column is read is proven by rows that become records alone. A skipped row is of the same system, so
 * its dates may contradict what the others prove.
 */
function createProfiler(table: Table, source: SourceConfig) {
  const { header, sample, countsCells } = table;
  const operation = operationNamed(source.operation);
  const rules = { operation, source, header };
  const noteOf = createNoteFinder(rules);
  /** The first note on each zone that isn't known otherwise. */
  const notes: ZoneNote[] = [];
  const learn = (note: ZoneNote) => {
    if (notes.length === MAX_NOTES) return;
    if (namesOtherZone(note, claimsOf(rules, notes), source.zoneNames)) notes.push(note);
  };
  table.zoneNotes?.forEach(learn);
  const counted = countsCells ? { cells: cellCounts(sample, header) } : {};
  const normalise = createSampleNormaliser(rules, counted);
  const ofRecords = columnWatches(rules);
  const ofAll = rowWatches(rules);
  const watches = [...ofRecords, ...ofAll];
  return {
    watches,
    add: (row: Row): void => {
      const note = table.zoneNotes ? null : noteOf(row);
      if (note) learn(note);
      // Also those above the header: how a row is judged depends on the rows above it.
      const read = normalise(row);
      if (row.line <= header.line || ('issues' in read && isOfOtherTable(read.issues))) return;
      for (const watch of ofAll) watch.add(row);
      const isRecord = read.disposition === 'record' || (read.disposition === 'undecided' && read.isSound);
      for (const watch of ofRecords) {
        if (isRecord) watch.add(row);
        else if (read.disposition === 'skipped') watch.doubt?.(row);
      }
    },
    profile: (): Profile => {
      const results = watches.map((watch) => watch.result());
      const merged = <K extends keyof Findings>(key: K): Findings[K] =>
        Object.assign({}, ...results.map((result) => result[key]));
      return {
        ...NO_PROFILE,
        dateOrders: merged('dateOrders'),
        scales: merged('scales'),
        shapes: merged('shapes'),
        issues: results.flatMap(({ issues = [] }) => issues),
        ...counted,
        ...(notes.length === 0 ? {} : { zoneNotes: notes }),
      };
    },
  };
}

/** A table may repeat its note on every page, and each may be another. */
const MAX_NOTES = 100;

/** Thrown under a plan by the first rows alone, for a row that needs what only the whole column can prove. */
export class UndecidedRow extends Error {
  override readonly name = 'UndecidedRow';

  constructor() {
    super('the row needs a profile of the whole drop');
  }
}

/**
 * Reads a drop under a plan by its first rows, and where a row is undecided begins again under a plan by all rows.
 * @param first the plan by the first rows, where the caller has it already.
 */
export async function widening<P, R>(
  planBy: (profiled: ProfileExtent) => Promise<P>,
  read: (plan: P, profiled: ProfileExtent) => Promise<R>,
  first?: P,
): Promise<R> {
  try {
    return await read(first ?? (await planBy('sample')), 'sample');
  } catch (error) {
    if (!(error instanceof UndecidedRow)) throw error;
    return read(await planBy('whole'), 'whole');
  }
}

/** A watch for each column whose reading depends on a fact that the source doesn't declare. */
function columnWatches({ operation, source, header }: TableRules): readonly RowWatch[] {
  return operation.fields.flatMap(({ name, kind }): RowWatch[] => {
    const column = header.match.mapped[name];
    if (column === undefined) return [];
    const watch = (
      evidence: Omit<ColumnEvidence<unknown>, 'proof'> & Partial<Pick<OrderEvidence, 'doubt'>>,
      result: RowWatch['result'],
    ): RowWatch[] => [
      {
        add: ({ cells, line }) => evidence.add(cells[column.index], line),
        doubt: ({ cells, line }) => evidence.doubt?.(cells[column.index], line),
        asksForAll: evidence.isAsked,
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
