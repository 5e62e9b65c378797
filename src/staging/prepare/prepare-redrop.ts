import type { DropFormat } from '../../domain/drop.js';
import { type Issue, isOfOtherTable } from '../../domain/issue.js';
import { inTurn } from '../../domain/process/in-turn.js';
import { type Cell, cellText, isBlankRow, type Row, singleRows } from '../../domain/row.js';
import type { RowRef } from '../../domain/row-ref.js';
import type { ReadableDrop } from '../../intake/opened-drop.js';
import type { PublishedDrop } from '../../ledger/drops/published-drops.js';
import { issuesOf } from '../../ledger/drops/rows/row-issues.js';
import type { Ledger } from '../../ledger/store/query.js';
import {
  type OpenOriginal,
  type OriginalRow,
  originalRows,
} from '../../ledger/submissions/again/original-rows.js';
import { keyInDrop } from '../../ledger/submissions/record/keys.js';
import { recordOf } from '../../ledger/submissions/record/record-text.js';
import { knownRecords } from '../../ledger/submissions/staging/revisions.js';
import type { PreparedRow } from '../../ledger/submissions/staging/staged-rows.js';
import { operationNamed } from '../../operations/registry.js';
import { type CorrectedDrop, markOf, originalLine, type RedropPlan } from '../../reading/plan-redrop.js';
import type { KeptReading } from '../../reading/read-again.js';
import { correctedCell, isDamagedIdentifier, isSameCell, isWithoutSeconds } from './compare-cells.js';
import { preparationNow } from './preparation-now.js';
import { independentPreparer, type PreparedStep, withCells } from './prepare-rows.js';
import {
  aboveRows,
  closed,
  damaged,
  emptied,
  erased,
  misplacedIssue,
  noSuchRow,
  notCorrected,
} from './redrop-issues.js';

/** A step through a corrected attention file. */
/**
 * Reads the rows of a corrected attention file, merges each with its original row, and prepares it as the original was
 * prepared. A cell that nobody changed is the original's cell with its type; a changed cell is the new text. The merged
 * cells are kept under the original's columns, so that the rows that the drop reports can be corrected in turn.
 * @param afterLine rows up to here are staged already: they are counted, and not handed over again.
 */
export async function* prepareRedrop(
  opened: ReadableDrop,
  plan: RedropPlan,
  ledger: Ledger,
  afterLine: number,
): AsyncGenerator<PreparedStep> {
  const preparation = await preparationNow(ledger, plan.source);
  const prepare = correctionPreparer(plan, ledger, opened.format, independentPreparer(preparation));
  for await (const several of opened.rows(plan.sheet ?? undefined)) {
    const read = singleRows(several);
    const prepared = await prepare(read.filter(({ line }) => line > afterLine));
    const originals = new Map(
      prepared.flatMap(({ row, of }) => (of === null ? [] : [[row.line, of] as const])),
    );
    const rows = prepared.map(({ row }) => row);
    const isKept = (_: PreparedRow, index: number) => prepared[index]?.isKept ?? false;
    yield { rowsRead: read.length, rows: withCells(prepared, rows, isKept), originals };
  }
}

interface PreparedCorrection {
  readonly row: PreparedRow;
  readonly cells: readonly Cell[];
  /** The original row; null where there is none, or the row doesn't say which. */
  readonly of: OpenOriginal | null;
  /** False where its cells must not be kept. */
  readonly isKept: boolean;
}

/** A row judged beside what has become of its original, and whether it replaces the original. */
interface Judged {
  readonly row: PreparedRow;
  readonly takesPlace: boolean;
}

function without(row: PreparedRow): Judged {
  return { row, takesPlace: false };
}

function correctionPreparer(
  plan: RedropPlan,
  ledger: Ledger,
  format: DropFormat,
  prepareAlone: ReturnType<typeof independentPreparer>,
) {
  const { layout, headerLine } = plan;
  const { operation, environment } = plan.source;
  const target = { operation: operationNamed(operation), environment };

  return async (rows: readonly Row[]): Promise<readonly PreparedCorrection[]> => {
    const placed = rows.map((row) => ({ row, place: placeOf(row) }));
    const places = placed.flatMap(({ place }) => place ?? []);
    const found = await originalRows(ledger, places);
    const originals = new Map(places.map((place, index) => [place, found[index] ?? null]));
    return inTurn(placed, async ({ row, place }) =>
      prepareRow(row, place && { ...place, row: originals.get(place) ?? null }),
    );
  };

  /** Where a row's original is; null where there is none, or the row doesn't say where. */
  function placeOf(read: Row): RowRef | null {
    if (isBlankRow(read.cells) || read.line <= headerLine || misplacedIssue(read, plan)) return null;
    const { drop } = plan.originals.get(markOf(read, layout)) as CorrectedDrop;
    return { dropId: drop.dropId, line: originalLine(read, layout) as number };
  }

  async function prepareRow(
    read: Row,
    original: (RowRef & { readonly row: OriginalRow | null }) | null,
  ): Promise<PreparedCorrection> {
    const { line } = read;
    const given = givenCells(read, plan);
    const unread = (row: PreparedRow): PreparedCorrection => ({ row, cells: given, of: null, isKept: true });
    if (isBlankRow(read.cells)) return unread({ kind: 'blank', line });
    if (line <= headerLine) return unread({ kind: 'non-data', line, issues: [aboveRows(line, headerLine)] });
    const misplaced = misplacedIssue(read, plan);
    if (misplaced) return unread({ kind: 'invalid', line, issues: [misplaced] });
    const mark = markOf(read, layout);
    const { drop, readingOf } = plan.originals.get(mark) as CorrectedDrop;
    if (original === null) throw new Error(`line ${line} stands for no row`);
    const { row: known, ...of } = original;
    if (known === null) return unread({ kind: 'invalid', line, issues: [noSuchRow(of.line, drop)] });
    const { cells: was, open } = known;
    if (was === null) {
      return {
        row: { kind: 'skipped', line, issues: [erased(of.line, drop)] },
        cells: [],
        of: { ...of, open, takesPlace: false },
        isKept: false,
      };
    }
    const { row, cells, isChanged } = rebuild(
      { plan, format, prepareAlone },
      line,
      was,
      given,
      readingOf(of.line),
    );
    const isForgotten = row.kind === 'skipped' && row.issues[0]?.code === 'learner-forgotten';
    const { takesPlace, ...judgement } = await judged(row, isChanged, { ...of, open }, drop);
    return { ...judgement, cells, of: { ...of, open, takesPlace }, isKept: !isForgotten };
  }

  /** What a row comes to beside what has become of its original. */
  async function judged(
    row: PreparedRow,
    isChanged: boolean,
    of: RowRef & Pick<OriginalRow, 'open'>,
    drop: PublishedDrop,
  ): Promise<Judged> {
    const { line } = row;
    if (row.kind === 'blank') return without({ kind: 'skipped', line, issues: [emptied(of.line, drop)] });
    // A title or a total stands for nothing that was to be delivered.
    if (row.kind === 'non-data') return without(row);
    const { open } = of;
    const before = isChanged ? [] : await issuesOf(ledger, of.dropId, of.line);
    // Read alone, it would be read under the columns of a table that isn't its own.
    if (isOfOtherTable(before)) {
      return without({ kind: 'skipped', line, issues: [notCorrected(of.line, drop, before)] });
    }
    if (row.kind === 'invalid' && !isChanged) {
      return without({ kind: 'skipped', line, issues: [notCorrected(of.line, drop, row.issues)] });
    }
    // An unchanged row doesn't contradict a correction that another file has brought since.
    const isOpen = isChanged ? open.length > 0 : open.some((member) => isAt(member, of));
    if (isOpen || (row.kind !== 'record' && row.kind !== 'invalid')) return { row, takesPlace: true };
    const [known] = row.kind === 'record' ? await knownRecords(ledger, target, [row]) : [];
    const repeated = known?.revisions.find(
      ({ content }) => row.kind === 'record' && content === row.keys.digest,
    );
    if (repeated) return without({ kind: 'duplicate', line, of: repeated.submissionId });
    return without({ kind: 'skipped', line, issues: [closed(of.line, drop)] });
  }
}

/** What a corrected row is rebuilt by. */
interface Rebuilding {
  readonly plan: RedropPlan;
  readonly format: DropFormat;
  readonly prepareAlone: ReturnType<typeof independentPreparer>;
}

/**
 * The original cells with what was changed, as a row of its own. Where a spreadsheet has damaged one, the original is
 * kept, to be looked at beside the issue.
 */
function rebuild(
  by: Rebuilding,
  line: number,
  was: readonly Cell[],
  given: readonly Cell[],
  reading: KeptReading,
) {
  const { format, prepareAlone } = by;
  const width = Math.max(was.length, given.length);
  const original = Array.from({ length: width }, (_, index) => was[index] ?? null);
  const differing = original.flatMap((cell, index) => (isSameCell(cell, given[index]) ? [] : [index]));
  const damages = differing.flatMap((index) => damageOf(by, index, original[index], given[index]) ?? []);
  const written = differing.filter((index) => damageOf(by, index, original[index], given[index]) === null);
  const cells = original.map((cell, index) =>
    written.includes(index) ? correctedCell(given[index], format) : cell,
  );
  let row = prepareAlone(reading, { line, cells });
  let isChanged = false;
  for (const index of written) {
    const before = prepareAlone(reading, { line, cells: cells.with(index, original[index] ?? null) });
    const both = asRecords(row, before);
    const cut = both ? cutTime(by, index, ...both, original, given) : null;
    if (cut) damages.push(cut);
    if (!cut && !(both && isSame(...both))) {
      isChanged = true;
      continue;
    }
    cells[index] = original[index] ?? null;
    row = before;
  }
  if (damages.length === 0) return { row, cells, isChanged };
  const issues = [...damages, ...(row.kind === 'invalid' ? row.issues : [])];
  return { row: { kind: 'invalid' as const, line, issues }, cells, isChanged: true };
}

function damageOf(
  { plan, format }: Rebuilding,
  index: number,
  was: Cell | undefined,
  given: Cell | undefined,
): Issue | null {
  const column = mappedColumn(index, plan);
  if (column === null || !['identifier', 'learner'].includes(column.kind)) return null;
  return isDamagedIdentifier(was, given, format)
    ? damaged('identifier-damaged', column.header, was, given)
    : null;
}

/** What somebody types into a workbook may well be without seconds. */
function cutTime(
  { plan, format }: Rebuilding,
  index: number,
  row: PreparedRecord,
  before: PreparedRecord,
  was: readonly Cell[],
  given: readonly Cell[],
): Issue | null {
  const column = mappedColumn(index, plan);
  if (format !== 'csv' || column?.kind !== 'timestamp') return null;
  const timeOf = (prepared: PreparedRecord) =>
    String(recordOf(operationNamed(plan.source.operation), prepared).fields[column.field]);
  return isWithoutSeconds(timeOf(before), timeOf(row))
    ? damaged('timestamp-damaged', column.header, was[index], given[index])
    : null;
}

function isAt(one: RowRef, other: RowRef): boolean {
  return one.dropId === other.dropId && one.line === other.line;
}

/** The cells under the original's columns, and those beyond any header behind them. */
function givenCells({ cells }: Row, { layout }: RedropPlan): Cell[] {
  const extras = cells.slice(layout.extrasFrom);
  const last = extras.findLastIndex((cell) => cellText(cell).trim() !== '');
  return [...layout.originals.map((index) => cells[index] ?? null), ...extras.slice(0, last + 1)];
}

/** The field that a column gives, and its header; null where it gives none. */
function mappedColumn(
  index: number,
  { source, header }: RedropPlan,
): { readonly field: string; readonly kind: string; readonly header: string } | null {
  for (const { name, kind } of operationNamed(source.operation).fields) {
    const mapped = header.match.mapped[name];
    if (mapped?.index === index) return { field: name, kind, header: mapped.header };
  }
  return null;
}

/** Both rows, where both are records. */
function asRecords(one: PreparedRow, other: PreparedRow): [PreparedRecord, PreparedRecord] | null {
  return one.kind === 'record' && other.kind === 'record' ? [one, other] : null;
}

/** True where both say the same, their titles included. */
function isSame(one: PreparedRecord, other: PreparedRecord): boolean {
  return (
    keyInDrop(one.keys) === keyInDrop(other.keys) &&
    one.keys.digest === other.keys.digest &&
    one.content.title === other.content.title
  );
}

type PreparedRecord = PreparedRow & { readonly kind: 'record' };
