import type { PreparedBatch, PreparedRow } from '../ledger/staging.js';
import type { PreparedStep } from './prepare-rows.js';

type RecordRow = PreparedRow & { readonly kind: 'record' };
type OtherRow = Exclude<PreparedRow, RecordRow>;

/**
 * A step as it crosses from the reader's thread to the writer's, and as it waits there to be written: the texts of all
 * its records in one, because an object and six texts a record would cost both threads more than reading it did.
 */
export type PackedStep = { readonly kind: 'undecided' } | PackedRows;

interface PackedRows {
  readonly kind: 'rows';
  readonly rowsRead: number;
  readonly block: PreparedBatch['block'] | null;
  /** Lines of the records. */
  readonly lines: Int32Array;
  /** Six texts a record: its four hashes, when it occurred, its fields. An empty one stands for null. */
  readonly text: string;
  /** Where each of them ends. */
  readonly ends: Int32Array;
  readonly others: readonly OtherRow[];
}

const TEXTS = 6;

/** The step with its texts put together. */
export function packStep(step: PreparedStep): PackedStep {
  if (step.kind === 'undecided') return step;
  const lines: number[] = [];
  const texts: string[] = [];
  const others: OtherRow[] = [];
  for (const row of step.batch?.rows ?? []) {
    if (row.kind !== 'record') {
      others.push(row);
      continue;
    }
    const { learner, slot, key, content } = row.keys;
    lines.push(row.line);
    texts.push(learner ?? '', slot, key, content, row.occurredAt ?? '', row.record);
  }
  const ends = new Int32Array(texts.length);
  let end = 0;
  texts.forEach((text, index) => {
    end += text.length;
    ends[index] = end;
  });
  return {
    kind: 'rows',
    rowsRead: step.rowsRead,
    block: step.batch?.block ?? null,
    lines: Int32Array.from(lines),
    text: texts.join(''),
    ends,
    others,
  };
}

/** The step that was packed. Its rows are taken out of it, in line order, each time they are gone through. */
export function unpackStep(step: PackedStep): PreparedStep {
  if (step.kind === 'undecided') return step;
  const { kind, rowsRead, block } = step;
  const rows = { [Symbol.iterator]: () => rowsOf(step) };
  return { kind, rowsRead, batch: block === null ? null : { rows, block } };
}

function* rowsOf({ lines, text, ends, others }: PackedRows): Generator<PreparedRow> {
  let next = 0;
  for (const [index, line] of lines.entries()) {
    for (let other = others[next]; other && other.line < line; other = others[next]) {
      yield other;
      next += 1;
    }
    const at = index * TEXTS;
    const textAt = (offset: number) => text.slice(ends[at + offset - 1] ?? 0, ends[at + offset]);
    yield {
      kind: 'record',
      line,
      keys: { learner: textAt(0) || null, slot: textAt(1), key: textAt(2), content: textAt(3) },
      occurredAt: textAt(4) || null,
      record: textAt(5),
    };
  }
  yield* others.slice(next);
}
