import type { PreparedBatch, PreparedRow } from '../ledger/staging.js';
import type { PreparedStep } from './prepare-rows.js';

type RecordRow = PreparedRow & { readonly kind: 'record' };
type OtherRow = Exclude<PreparedRow, RecordRow>;

/**
 * A step as it crosses from the reader's thread to the writer's: records as columns of plain texts, because copying an
 * object per row costs both threads more than reading it did.
 */
export type PackedStep = { readonly kind: 'undecided' } | PackedRows;

interface PackedRows {
  readonly kind: 'rows';
  readonly rowsRead: number;
  readonly block: PreparedBatch['block'] | null;
  readonly lines: readonly number[];
  /** Six texts a record: its four hashes, when it occurred, its fields. */
  readonly texts: readonly (string | null)[];
  readonly others: readonly OtherRow[];
}

/** The step as columns. */
export function packStep(step: PreparedStep): PackedStep {
  if (step.kind === 'undecided') return step;
  const { rowsRead, batch } = step;
  const lines: number[] = [];
  const texts: (string | null)[] = [];
  const others: OtherRow[] = [];
  for (const row of batch?.rows ?? []) {
    if (row.kind !== 'record') {
      others.push(row);
      continue;
    }
    const { learner, slot, key, content } = row.keys;
    lines.push(row.line);
    texts.push(learner, slot, key, content, row.occurredAt, row.record);
  }
  return { kind: 'rows', rowsRead, block: batch?.block ?? null, lines, texts, others };
}

const TEXTS = 6;

/** The step that was packed; its rows in line order again. */
export function unpackStep(step: PackedStep): PreparedStep {
  if (step.kind === 'undecided') return step;
  const { kind, rowsRead, block, lines, texts, others } = step;
  if (block === null) return { kind, rowsRead, batch: null };
  const rows: PreparedRow[] = [];
  let next = 0;
  lines.forEach((line, index) => {
    for (let other = others[next]; other && other.line < line; other = others[next]) {
      rows.push(other);
      next += 1;
    }
    rows.push(recordAt(texts, index * TEXTS, line));
  });
  for (; next < others.length; next += 1) rows.push(others[next] as OtherRow);
  return { kind, rowsRead, batch: { rows, block } };
}

function recordAt(texts: readonly (string | null)[], at: number, line: number): RecordRow {
  const text = (offset: number) => texts[at + offset] as string;
  return {
    kind: 'record',
    line,
    keys: { learner: texts[at] ?? null, slot: text(1), key: text(2), content: text(3) },
    occurredAt: texts[at + 4] ?? null,
    record: text(5),
  };
}
