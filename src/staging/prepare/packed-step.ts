import type { Issue } from '../../domain/issue.js';
import type { Original } from '../../ledger/drops/again/original-rows.js';
import type { JoinedCells } from '../../ledger/drops/rows/joined-cells.js';
import { CONTENT_DIGITS, KEY_DIGITS, type RecordIdentity } from '../../ledger/submissions/record/keys.js';
import type { PreparedRecord } from '../../ledger/submissions/record/prepared-record.js';
import type { KeptTexts, PreparedRow } from '../../ledger/submissions/staged-rows.js';
import type { JudgedRows } from './mostly-invalid.js';
import type { PreparedStep } from './prepare-rows.js';

type RecordRow = PreparedRow & { readonly kind: 'record' };

/**
 * A step as it crosses from the reader's thread to the writer's, and as it waits there to be written: the texts of all its
 * records are joined into one. An object and some texts for each record would cost both threads more than reading the
 * record, and every garbage collection would copy them until they are written.
 */
export interface PackedStep {
  readonly rowsRead: number;
  /** Of these, rows of data that the sheet hides. */
  readonly hiddenRows: number;
  /** What is wrong with the rows that were read; absent where nobody asked. */
  readonly judged?: JudgedRows;
  /** The cells of all rows to be written; null when there are none. */
  readonly cells: JoinedCells | null;
  /** Lines of the records. */
  readonly lines: Int32Array;
  /** Checksums of the records. */
  readonly sums: Int32Array;
  /** Their shapes, each once, and which of them each record has. */
  readonly shapes: readonly string[];
  readonly shapeOf: Uint16Array;
  /** Of each record its key, its content and its values, all one behind the other. */
  readonly text: string;
  /** Where in the text each record ends. */
  readonly ends: Int32Array;
  /** Former identities by line, for the few records that have any. */
  readonly formers: ReadonlyMap<number, readonly RecordIdentity[]>;
  /** Further records by line, for rows that have several. */
  readonly further: ReadonlyMap<number, readonly PreparedRecord[]>;
  /** Issues by line, for rows of which something was left out. */
  readonly leftOut: ReadonlyMap<number, readonly Issue[]>;
  readonly others: readonly Exclude<PreparedRow, RecordRow>[];
  /** By line, of a corrected attention file: the rows that its rows stand for. */
  readonly originals?: ReadonlyMap<number, Original>;
}

/** Where in a record's text its values begin, and its content. */
const VALUES_FROM = KEY_DIGITS + CONTENT_DIGITS;

/** The step with its texts put together. */
export function packStep(step: PreparedStep): PackedStep {
  const rows = step.batch?.rows ?? [];
  let lines = new Int32Array(rows.length);
  let sums = new Int32Array(rows.length);
  let shapeOf = new Uint16Array(rows.length);
  let ends = new Int32Array(rows.length);
  const shapes: string[] = [];
  const formers = new Map<number, readonly RecordIdentity[]>();
  const further = new Map<number, readonly PreparedRecord[]>();
  const leftOut = new Map<number, readonly Issue[]>();
  const others: PackedStep['others'][number][] = [];
  const texts: string[] = [];
  let count = 0;
  let end = 0;
  for (const row of rows) {
    if (row.kind !== 'record') {
      others.push(row);
      continue;
    }
    if (row.formers) formers.set(row.line, row.formers);
    if (row.further) further.set(row.line, row.further);
    if (row.leftOut) leftOut.set(row.line, row.leftOut);
    texts.push(row.text);
    end += row.text.length;
    lines[count] = row.line;
    sums[count] = row.sum;
    shapeOf[count] = numberIn(shapes, row.record.shape);
    ends[count] = end;
    count += 1;
  }
  if (count < rows.length) {
    lines = lines.slice(0, count);
    sums = sums.slice(0, count);
    shapeOf = shapeOf.slice(0, count);
    ends = ends.slice(0, count);
  }
  return {
    rowsRead: step.rowsRead,
    hiddenRows: step.hiddenRows ?? 0,
    ...(step.judged ? { judged: step.judged } : {}),
    cells: step.batch?.cells ?? null,
    lines,
    sums,
    shapes,
    shapeOf,
    text: texts.join(''),
    ends,
    formers,
    further,
    leftOut,
    others,
  };
}

/** Mostly all records have one shape, and few have more than some. */
function numberIn(shapes: string[], shape: string): number {
  const known = shapes.lastIndexOf(shape);
  return known === -1 ? shapes.push(shape) - 1 : known;
}

/** The rows of some steps with their cells, in line order. */
export function* rowsOf(steps: readonly PackedStep[]): Generator<PreparedRow & KeptTexts> {
  for (const step of steps) {
    if (step.cells === null) continue;
    const { text, strayQuotes } = step.cells;
    const cells = text.split('\n');
    let index = 0;
    for (const row of inLineOrder(step)) {
      const kept = { ...row, cells: cells[index] || null };
      const stray = strayQuotes.get(row.line);
      yield stray === undefined ? kept : { ...kept, strayQuotes: stray };
      index += 1;
    }
  }
}

function* inLineOrder(step: PackedStep): Generator<PreparedRow> {
  const { others } = step;
  let next = 0;
  for (const record of recordsOf(step)) {
    for (let other = others[next]; other && other.line < record.line; other = others[next]) {
      yield other;
      next += 1;
    }
    yield record;
  }
  yield* others.slice(next);
}

function* recordsOf(step: PackedStep): Generator<RecordRow> {
  const { lines, sums, shapes, shapeOf, text, ends, formers, further, leftOut } = step;
  const isPlain = formers.size === 0 && further.size === 0 && leftOut.size === 0;
  let start = 0;
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index] as number;
    const end = ends[index] as number;
    const whole = text.slice(start, end);
    const key = whole.slice(0, KEY_DIGITS);
    const content = whole.slice(KEY_DIGITS, VALUES_FROM);
    const values = whole.slice(VALUES_FROM);
    const row: RecordRow = {
      kind: 'record',
      line,
      keys: { key, content },
      text: whole,
      record: { shape: shapes[shapeOf[index] as number] as string, values },
      sum: sums[index] as number,
    };
    start = end;
    if (isPlain) {
      yield row;
      continue;
    }
    const former = formers.get(line);
    const others = further.get(line);
    const without = leftOut.get(line);
    yield {
      ...row,
      ...(former ? { formers: former } : {}),
      ...(others ? { further: others } : {}),
      ...(without ? { leftOut: without } : {}),
    };
  }
}
