import { dropMark } from '../../domain/files/attention-columns.js';
import { OperatorError } from '../../domain/operator-error.js';
import { type Cell, textToCorrect } from '../../domain/row.js';
import type { RowRef } from '../../domain/row-ref.js';
import type { TracedDrop } from '../../ledger/drops/traced-drops.js';
import type { Ledger } from '../../ledger/store/query.js';
import type { LineageRow } from '../../ledger/submissions/again/lineage.js';
import { findLineages, type Lineage } from '../../ledger/trace/find-lineages.js';
import { remarksOn, remarkText } from '../../report/trace/trace.js';
import { withoutReason } from '../../report/words/file-words.js';

/** A row that can be corrected. Personal. */
export interface RowToCorrect extends RowRef {
  /** `completions.csv:217`. */
  readonly label: string;
  readonly drop: TracedDrop;
  readonly mark: string;
  /** The cells as they were read. */
  readonly cells: readonly Cell[];
}

/**
 * The row that a text names, in the words of `trace`; where the row was corrected, its last correction. Throws
 * OperatorError where the text names no row or several, and where nothing of the row is open.
 */
export async function rowToCorrect(ledger: Ledger, what: string): Promise<RowToCorrect> {
  const { rowRef: asked, rows, open } = await lineageNamed(ledger, what);
  const isSending = rows.some(({ submissions }) => submissions.some(({ state }) => state === 'sending'));
  if (open === null || isSending) throw closedRow(what, asked, rows);
  const { dropId, line, drop, cells } = open;
  const label = `${drop.file}:${line}`;
  if (cells === null) {
    throw about(
      what,
      `the cells of ${label} were erased, so that there is nothing to correct`,
      'Deliver the row in a file of its own if it is still to be delivered.',
    );
  }
  return { dropId, line, label, drop, mark: dropMark(dropId, drop.sha256), cells };
}

async function lineageNamed(ledger: Ledger, what: string): Promise<Lineage> {
  const found = await findLineages(ledger, what);
  if (found === null) {
    throw about(
      what,
      `"${what}" names no row`,
      `Name one as file.csv:217, by a drop's number as 12:217, or by a submission as "#12"; registrar trace finds a learner's rows.`,
    );
  }
  const [lineage, ...others] = found.lineages;
  if (lineage === undefined && found.kind === 'submission') {
    throw about(what, `there is no submission ${what}`, 'registrar trace finds a row, a learner or a key.');
  }
  if (lineage === undefined) {
    const remarks = remarksOn(found.named);
    const known =
      remarks.length > 0
        ? remarks.map((remark) => remarkText({ ...remark, closure: withoutReason(remark.closure) })).join(' ')
        : 'nothing was read there';
    throw about(
      what,
      `${what} is no row: ${known.replace(/\.$/, '')}`,
      'registrar inspect FILE shows lines.',
    );
  }
  if (others.length > 0) {
    const rowRefs = found.lineages.map(({ rowRef: { dropId, line } }) => `${dropId}:${line}`).join(', ');
    throw about(what, `${what} stands in ${others.length + 1} drops`, `Take one by its number: ${rowRefs}.`);
  }
  return lineage;
}

/** Says why the row can't be corrected. */
function closedRow(what: string, rowRef: RowRef, lineage: readonly LineageRow[]): OperatorError {
  const all = lineage.flatMap(({ submissions }) => submissions);
  const stateOf = (wanted: string) => all.find(({ state }) => state === wanted);
  const own = lineage.find(({ dropId, line }) => dropId === rowRef.dropId && line === rowRef.line);
  const label = `${own?.file}:${rowRef.line}`;
  const [sending, accepted, dismissed, replaced] = ['sending', 'accepted', 'dismissed', 'replaced'].map(
    stateOf,
  );
  if (sending !== undefined) {
    return about(
      what,
      `${label} is being delivered as #${sending.submissionId}`,
      'Correct it once it has an answer: registrar trace tells when.',
    );
  }
  if (accepted !== undefined) {
    return about(
      what,
      `${label} was accepted by the platform as #${accepted.submissionId}`,
      'Deliver the row with its right values in a file of its own: it comes in as an amendment.',
    );
  }
  if (own?.repeats != null) {
    return about(
      what,
      `${label} repeats #${own.repeats}`,
      `Correct that one: registrar correct "#${own.repeats}" --set …`,
    );
  }
  if (replaced !== undefined) {
    return about(
      what,
      `${label} was replaced by #${replaced.successorId}`,
      `Correct that one: registrar correct "#${replaced.successorId}" --set …`,
    );
  }
  if (dismissed !== undefined) {
    return about(
      what,
      `${label} was dismissed: somebody has decided that it is not sent`,
      'Deliver the row in a file of its own if it is to be sent after all.',
    );
  }
  const submissionId = own?.resolution?.submissionId ?? null;
  if (submissionId !== null) {
    return about(
      what,
      `${label} became #${submissionId} since`,
      `Correct that one: registrar correct "#${submissionId}" --set …`,
    );
  }
  return about(
    what,
    `${label} is ${own?.disposition ?? 'no row'}, so that nothing of it is to be delivered`,
    'Deliver a row that is new in a file of its own.',
  );
}

function about(what: string, message: string, hint: string): OperatorError {
  return new OperatorError({ operation: 'correct a row', subject: what, message, hint });
}

/** The row as the attention file of its drop shows it: its own columns, and the columns that identify it. Personal. */
export interface CorrectedSheet {
  readonly columns: readonly string[];
  readonly cells: readonly string[];
}

/**
 * The row with the values that were set, as a sheet of one row.
 * @param given values by the index of their column. @param detail who decides, and why.
 */
export function correctedSheet(
  { drop, line, mark, cells }: RowToCorrect,
  given: ReadonlyMap<number, string>,
  detail: string,
): CorrectedSheet {
  const texts = Array.from(
    { length: Math.max(cells.length, drop.header.length) },
    (_, index) => given.get(index) ?? textToCorrect(cells[index]),
  );
  const width = drop.header.length;
  return {
    columns: [...drop.header, '_row', '_detail', '_drop'],
    cells: [...texts.slice(0, width), String(line), detail, mark, ...texts.slice(width)],
  };
}
