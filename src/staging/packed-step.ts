import type { RecordKeys } from '../ledger/keys.js';
import type { PreparedBatch, PreparedRow } from '../ledger/staging.js';
import type { PreparedStep } from './prepare-rows.js';

type RecordRow = PreparedRow & { readonly kind: 'record' };
type OtherRow = Exclude<PreparedRow, RecordRow>;

/**
 * A step as it crosses from the reader's thread to the writer's, and as it waits there to be written: the texts of all
 * its records in one piece of bytes. An object and six texts a record would cost both threads more than reading it did,
 * and would be copied by every garbage collection until they are written.
 */
export type PackedStep = { readonly kind: 'undecided' } | PackedRows;

interface PackedRows {
  readonly kind: 'rows';
  readonly rowsRead: number;
  readonly block: PreparedBatch['block'] | null;
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
  readonly others: readonly OtherRow[];
}

const TEXTS = 6;

/** The step with its texts put together. */
export function packStep(step: PreparedStep): PackedStep {
  if (step.kind === 'undecided') return step;
  const lines: number[] = [];
  const texts: string[] = [];
  const formers = new Map<number, readonly RecordKeys[]>();
  const others: OtherRow[] = [];
  for (const row of step.batch?.rows ?? []) {
    if (row.kind !== 'record') {
      others.push(row);
      continue;
    }
    const { learner, slot, key, content } = row.keys;
    lines.push(row.line);
    if (row.formers) formers.set(row.line, row.formers);
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
    block: step.batch?.block ?? null,
    lines: Int32Array.from(lines),
    bytes,
    encoding,
    ends: endsOf(texts, isAscii ? 1 : 2),
    formers,
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

/** The step that was packed. Its rows are taken out of it, in line order, each time they are gone through. */
export function unpackStep(step: PackedStep): PreparedStep {
  if (step.kind === 'undecided') return step;
  const { kind, rowsRead, block } = step;
  const rows = { [Symbol.iterator]: () => rowsOf(step) };
  return { kind, rowsRead, batch: block === null ? null : { rows, block } };
}

function* rowsOf({ lines, bytes, encoding, ends, formers, others }: PackedRows): Generator<PreparedRow> {
  const all = Buffer.from(bytes.buffer);
  let next = 0;
  for (const [index, line] of lines.entries()) {
    for (let other = others[next]; other && other.line < line; other = others[next]) {
      yield other;
      next += 1;
    }
    const at = index * TEXTS;
    const textAt = (offset: number) => all.toString(encoding, ends[at + offset - 1] ?? 0, ends[at + offset]);
    const former = formers.get(line);
    yield {
      kind: 'record',
      line,
      keys: { learner: textAt(0) || null, slot: textAt(1), key: textAt(2), content: textAt(3) },
      occurredAt: textAt(4) || null,
      record: textAt(5),
      ...(former ? { formers: former } : {}),
    };
  }
  yield* others.slice(next);
}
