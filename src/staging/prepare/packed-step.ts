import type { Issue } from '../../domain/issue.js';
import type { Content } from '../../domain/record.js';
import type { Original } from '../../ledger/drops/again/redrop-rows.js';
import type { JoinedCells } from '../../ledger/drops/rows/joined-cells.js';
import { NOBODY, type RecordKeys } from '../../ledger/submissions/record/keys.js';
import type { PreparedRecord } from '../../ledger/submissions/record/prepared-record.js';
import type { PreparedRow, StagedRow } from '../../ledger/submissions/staging/staged-rows.js';
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
  /** The contents that the records are about, each once, and which of them each record has. */
  readonly contents: readonly PackedContent[];
  readonly contentOf: Int32Array;
  /** The types of their learners' identifiers, and which of them each record has. */
  readonly learnerTypes: readonly string[];
  readonly learnerTypeOf: Uint8Array;
  /** Of each record its digest, its learner's hash, its time, its fields, and its learner's identifier, one behind the other. */
  readonly text: string;
  /** Where in the text the identifier of each record's learner begins, and where it ends. */
  readonly ids: Int32Array;
  readonly ends: Int32Array;
  /** Former identities by line, for the few records that have any. */
  readonly formers: ReadonlyMap<number, readonly RecordKeys[]>;
  /** Further records by line, for rows that have several. */
  readonly further: ReadonlyMap<number, readonly PreparedRecord[]>;
  /** Issues by line, for rows of which something was left out. */
  readonly leftOut: ReadonlyMap<number, readonly Issue[]>;
  readonly others: readonly Exclude<PreparedRow, RecordRow>[];
  /** By line, of a corrected attention file: the rows that its rows stand for. */
  readonly originals?: ReadonlyMap<number, Original>;
}

interface PackedContent {
  readonly hash: string;
  readonly content: Content;
}

/** Digits of a hash. */
const HASH = 16;

/** The step with its texts put together. */
export function packStep(step: PreparedStep): PackedStep {
  const rows = step.batch?.rows ?? [];
  const records = rows.filter((row) => row.kind === 'record');
  const lines = new Int32Array(records.length);
  const contentOf = new Int32Array(records.length);
  const learnerTypeOf = new Uint8Array(records.length);
  const ids = new Int32Array(records.length);
  const ends = new Int32Array(records.length);
  const contents: PackedContent[] = [];
  const numbers = new Map<string, number>();
  const learnerTypes: string[] = [];
  const formers = new Map<number, readonly RecordKeys[]>();
  const further = new Map<number, readonly PreparedRecord[]>();
  const leftOut = new Map<number, readonly Issue[]>();
  const texts: string[] = [];
  let end = 0;
  records.forEach((row, index) => {
    const { keys, learner, content, text } = row;
    if (row.formers) formers.set(row.line, row.formers);
    if (row.further) further.set(row.line, row.further);
    if (row.leftOut) leftOut.set(row.line, row.leftOut);
    const own = keys.digest + (keys.learner ?? NOBODY) + (keys.occurredAt ?? '') + text;
    const id = learner?.id ?? '';
    texts.push(own, id);
    lines[index] = row.line;
    ids[index] = end + own.length;
    end += own.length + id.length;
    ends[index] = end;
    learnerTypeOf[index] = numberIn(learnerTypes, learner?.type ?? '');
    const known = numbers.get(keys.content);
    contentOf[index] = known ?? contents.push({ hash: keys.content, content }) - 1;
    if (known === undefined) numbers.set(keys.content, contents.length - 1);
  });
  return {
    rowsRead: step.rowsRead,
    hiddenRows: step.hiddenRows ?? 0,
    ...(step.judged ? { judged: step.judged } : {}),
    cells: step.batch?.cells ?? null,
    lines,
    contents,
    contentOf,
    learnerTypes,
    learnerTypeOf,
    text: texts.join(''),
    ids,
    ends,
    formers,
    further,
    leftOut,
    others: rows.filter((row) => row.kind !== 'record'),
  };
}

/** Identifiers are mostly of one type. */
function numberIn(types: string[], type: string): number {
  const known = types.indexOf(type);
  return known === -1 ? types.push(type) - 1 : known;
}

/** The rows of some steps with their cells, in line order. */
export function* rowsOf(steps: readonly PackedStep[]): Generator<StagedRow> {
  for (const step of steps) {
    if (step.cells === null) continue;
    const { text, strayQuotes } = step.cells;
    let start = 0;
    for (const row of inLineOrder(step)) {
      // One by one: splitting the text at once keeps all its pieces alive, which costs 4 µs a row.
      const next = text.indexOf('\n', start);
      const end = next === -1 ? text.length : next;
      const cells = start === end ? null : text.slice(start, end);
      yield { row, cells, strayQuotes: strayQuotes.get(row.line) ?? null };
      start = end + 1;
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
  const { lines, contents, contentOf, learnerTypes, learnerTypeOf, text, ids, ends } = step;
  const { formers, further, leftOut } = step;
  const isPlain = formers.size === 0 && further.size === 0 && leftOut.size === 0;
  let start = 0;
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index] as number;
    const whole = text.slice(start, ids[index]);
    const fieldsFrom = whole.indexOf('{', 2 * HASH);
    const hash = whole.slice(HASH, 2 * HASH);
    const learner =
      hash === NOBODY
        ? null
        : {
            type: learnerTypes[learnerTypeOf[index] as number] as string,
            id: text.slice(ids[index], ends[index]),
          };
    const { hash: contentHash, content } = contents[contentOf[index] as number] as PackedContent;
    const row: RecordRow = {
      kind: 'record',
      line,
      keys: {
        learner: learner === null ? null : hash,
        content: contentHash,
        occurredAt: fieldsFrom === 2 * HASH ? null : whole.slice(2 * HASH, fieldsFrom),
        digest: whole.slice(0, HASH),
      },
      learner,
      content,
      text: whole.slice(fieldsFrom),
    };
    start = ends[index] as number;
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
