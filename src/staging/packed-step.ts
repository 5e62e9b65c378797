import type { Issue } from '../domain/issue.js';
import type { RecordKeys } from '../ledger/keys.js';
import type { RowBlock } from '../ledger/pack-rows.js';
import type { Original } from '../ledger/redrop-rows.js';
import type { PreparedRecord, PreparedRow } from '../ledger/staging.js';
import type { JudgedRows } from './mostly-invalid.js';
import type { PreparedStep } from './prepare-rows.js';

type RecordRow = PreparedRow & { readonly kind: 'record' };

/**
 * A step as it crosses from the reader's thread to the writer's, and as it waits there to be written: the texts of all
 * its records in one piece of bytes. An object and six texts a record would cost both threads more than reading it did,
 * and would be copied by every garbage collection until they are written.
 */
export type PackedStep = { readonly kind: 'undecided' } | PackedRows;

export interface PackedRows {
  readonly kind: 'rows';
  readonly rowsRead: number;
  /** Of these, rows of data that the sheet hides. */
  readonly hiddenRows: number;
  /** What is wrong with the rows that were read; absent where nobody asks. */
  readonly judged?: JudgedRows;
  /** The cells of those to be written; null when there are none. */
  readonly block: RowBlock | null;
  /** Lines of the records. */
  readonly lines: Int32Array;
  /** Six texts a record: its four hashes, when it occurred, its fields. An empty one stands for null. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** One byte a character where all of them allow it. */
  readonly encoding: 'latin1' | 'utf16le';
  /** Where in the bytes each text ends. */
  readonly ends: Int32Array;
  /** By line, where a record has any: few do. */
  readonly formers: ReadonlyMap<number, readonly RecordKeys[]>;
  /** By line, where a row has several records. */
  readonly further: ReadonlyMap<number, readonly PreparedRecord[]>;
  /** By line, where something of a row was left out. */
  readonly leftOut: ReadonlyMap<number, readonly Issue[]>;
  readonly others: readonly Exclude<PreparedRow, RecordRow>[];
  /** By line, of a corrected attention file: the rows that its rows stand for. */
  readonly originals?: ReadonlyMap<number, Original>;
}

const TEXTS = 6;
/** Which of the texts is the key. */
const KEY = 2;

/** The step with its texts put together. */
export function packStep(step: PreparedStep): PackedStep {
  if (step.kind === 'undecided') return step;
  const lines: number[] = [];
  const texts: string[] = [];
  const formers = new Map<number, readonly RecordKeys[]>();
  const further = new Map<number, readonly PreparedRecord[]>();
  const leftOut = new Map<number, readonly Issue[]>();
  const others: PackedRows['others'][number][] = [];
  for (const row of step.batch?.rows ?? []) {
    if (row.kind !== 'record') {
      others.push(row);
      continue;
    }
    const { learner, slot, key, content } = row.keys;
    lines.push(row.line);
    if (row.formers) formers.set(row.line, row.formers);
    if (row.further) further.set(row.line, row.further);
    if (row.leftOut) leftOut.set(row.line, row.leftOut);
    texts.push(learner ?? '', slot, key, content, row.occurredAt ?? '', row.record);
  }
  const text = texts.join('');
  const isAscii = Buffer.byteLength(text) === text.length;
  const encoding = isAscii ? 'latin1' : 'utf16le';
  // Not from the pool that small buffers share: it is handed over as a whole.
  const bytes = Buffer.allocUnsafeSlow(text.length * (isAscii ? 1 : 2)) as Buffer<ArrayBuffer>;
  bytes.write(text, encoding);
  return {
    kind: 'rows',
    rowsRead: step.rowsRead,
    hiddenRows: step.hiddenRows ?? 0,
    ...(step.judged ? { judged: step.judged } : {}),
    block: step.batch?.block ?? null,
    lines: Int32Array.from(lines),
    bytes,
    encoding,
    ends: endsOf(texts, isAscii ? 1 : 2),
    formers,
    further,
    leftOut,
    others,
  };
}

/** What a packed step can hand over instead of copying. */
export function transferable(step: PackedStep): ArrayBuffer[] {
  return step.kind === 'rows' ? [step.bytes.buffer] : [];
}

function endsOf(texts: readonly string[], charBytes: number): Int32Array {
  const ends = new Int32Array(texts.length);
  let end = 0;
  texts.forEach((text, index) => {
    end += text.length * charBytes;
    ends[index] = end;
  });
  return ends;
}

/** The records of a packed step, by their index. */
export interface PackedRecords {
  readonly count: number;
  /** A number by which records are nearly in the order of their keys; the same for the same key. */
  keyStart(index: number): number;
  at(index: number): RecordRow;
}

/** Takes records out of a packed step one by one. */
export function recordsOf(packed: PackedRows): PackedRecords {
  const { lines, bytes, encoding, ends, formers, further, leftOut } = packed;
  const all = Buffer.from(bytes.buffer);
  const charBytes = encoding === 'latin1' ? 1 : 2;
  const startOf = (text: number) => ends[text - 1] ?? 0;
  return {
    count: lines.length,
    // The first digits: letters come behind figures in text as well.
    keyStart: (index) => all.readUInt32BE(startOf(index * TEXTS + KEY)),
    at(index) {
      const first = index * TEXTS;
      const start = startOf(first);
      // One call for all: each takes longer than cutting their text.
      const text = all.toString(encoding, start, ends[first + TEXTS - 1]);
      const cut = (number: number) =>
        text.slice(
          (startOf(first + number) - start) / charBytes,
          ((ends[first + number] ?? 0) - start) / charBytes,
        );
      const line = lines[index] ?? 0;
      const former = formers.get(line);
      const others = further.get(line);
      const without = leftOut.get(line);
      return {
        kind: 'record',
        line,
        keys: { learner: cut(0) || null, slot: cut(1), key: cut(KEY), content: cut(3) },
        occurredAt: cut(4) || null,
        record: cut(5),
        ...(former ? { formers: former } : {}),
        ...(others ? { further: others } : {}),
        ...(without ? { leftOut: without } : {}),
      };
    },
  };
}
