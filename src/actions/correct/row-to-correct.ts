import { errorsOf } from '../../domain/operator-error.js';
import type { RowRef } from '../../domain/row-ref.js';
import type { TracedDrop } from '../../ledger/drops/published-drops.js';
import type { Ledger } from '../../ledger/store/query.js';
import { openRow } from '../../ledger/submissions/reread.js';
import { type KeptRow, readTrace, type Traces } from '../../ledger/trace/read-trace.js';
import { remarksOn } from '../../report/trace/trace.js';
import { withoutReason } from '../../report/words/file-words.js';

/**
 * A row that can be corrected, with its present cells, the decision that gave it these (`correctedBy`; null: they were read), and
 * what of it a correction replaces (`open`). Personal.
 */
export type RowToCorrect = Awaited<ReturnType<typeof rowToCorrect>>;

/** The row that a text names, in the words of `trace`. Throws OperatorError where it names none or several, or nothing is open. */
export async function rowToCorrect(ledger: Ledger, what: string) {
  const traces = await readTrace(ledger, { what, learners: null, searchAll: false });
  const row = rowNamed(what, traces);
  const { dropId, line, cells } = row;
  const drop = traces.drops.find((one) => one.dropId === dropId) as TracedDrop;
  const label = `${drop.file}:${line}`;
  const correctedBy = row.correctedBy?.decisionId ?? null;
  const current = await openRow(ledger, { dropId, line, version: correctedBy ?? 0 });
  const open = current?.open ?? [];
  const lives = traces.lives.filter((life) => life.drop === dropId && life.line === line);
  if (open.length === 0 || lives.some(({ state }) => state === 'sending'))
    throw refusal(what, ...whyClosed(label, row, lives));
  if (cells === null) {
    const message = `the cells of ${label} were erased, so there is nothing to correct`;
    throw refusal(what, message, 'Deliver the row in a separate file if it is still to be delivered.');
  }
  return { dropId, line, label, drop, cells, correctedBy, open };
}

function rowNamed(what: string, { kind, rows, lives, named }: Traces): KeptRow {
  const own = lives.find(({ submission }) => what === `#${submission}`);
  const isNamed = ({ dropId, line }: RowRef) =>
    own === undefined
      ? named.some((mention) => mention.drop.dropId === dropId && mention.line === line)
      : own.drop === dropId && own.line === line;
  const [row, ...others] = rows.filter(isNamed);
  if (row !== undefined && others.length === 0) return row;
  if (row !== undefined) {
    const rowRefs = [row, ...others].map(({ dropId, line }) => `${dropId}:${line}`).join(', ');
    throw refusal(what, `${what} is in ${others.length + 1} drops`, `Take one by its number: ${rowRefs}.`);
  }
  const reason = 'not-found';
  if (what.startsWith('#')) {
    const hint = 'Its trace shows a row by its file and line.';
    throw refusal(what, `there is no submission ${what}`, hint, { reason });
  }
  if (kind === null && named.length === 0) {
    const hint = `Name one as file.csv:217, by a drop's number as 12:217, or by a submission as "#12"; a trace of a learner shows their rows.`;
    throw refusal(what, `"${what}" names no row`, hint, { reason });
  }
  const remarks = remarksOn(named.map((one) => ({ ...one, closure: withoutReason(one.closure) })));
  const explanation = remarks.length > 0 ? remarks.join(' ').replace(/\.$/, '') : 'nothing was read there';
  throw refusal(what, `${what} isn't a row: ${explanation}`, 'Name a line with a record.', { reason });
}

function whyClosed(
  label: string,
  { disposition, submission, resolution }: KeptRow,
  lives: Traces['lives'],
): readonly [message: string, hint: string] {
  const inState = (state: Traces['lives'][number]['state']) => lives.find((life) => life.state === state);
  const [sending, accepted] = [inState('sending'), inState('accepted')];
  if (sending !== undefined)
    return [`${label} is being delivered as #${sending.submission}`, 'Correct it once it has an answer.'];
  if (accepted !== undefined) {
    const hint = 'Deliver the row with its right values in a separate file: it is imported as an amendment.';
    return [`${label} was accepted by the platform as #${accepted.submission}`, hint];
  }
  const repeated = disposition === 'duplicate' ? submission : null;
  const other = repeated ?? inState('replaced')?.replacedBy ?? resolution?.submission ?? null;
  if (other !== null) return [`#${other} counts in place of ${label}`, `Correct #${other} instead.`];
  const state = lives[0]?.state ?? disposition;
  return [`${label} is ${state}, so it has nothing to deliver`, 'Deliver a new row in a separate file.'];
}

const refusal = errorsOf('correct a row');
