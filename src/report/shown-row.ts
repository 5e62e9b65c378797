import type { ShownRow } from '../documents/rows.js';
import type { RowIssue } from '../documents/trace.js';
import { cellText } from '../domain/row.js';
import { alsoKnownAs } from '../domain/text/text-mentions.js';
import type { AttentionSample } from '../ledger/books/rows/browsed-rows.js';
import type { Field } from '../operations/operation.js';
import { operationNamed } from '../operations/registry.js';
import { clip } from './text/layout.js';
import { clipForMasking, maskAddresses, maskMentions, maskText, QUOTED } from './words/mask.js';

/**
 * Prepares a row for a page that goes to readers outside. Only cells that feed a field are shown. Four things are masked: the learner; cells that may
 * not be what their column says, because they couldn't be read or because the row has too many cells; repetitions of these
 * cells and of cells that are not shown, in answers and in the values that Registrar's sentences quote; and every e-mail
 * address. Headers and Registrar's own words are left as they are.
 */
export function maskedRow(sample: AttentionSample): ShownRow {
  return { ...rowBy(maskFor(sample), sample), file: maskAddresses(sample.file) };
}

/** The same in full. */
export function shownRow(sample: AttentionSample): ShownRow {
  return rowBy(SHOW_ALL, sample);
}

function rowBy(mask: Mask, sample: AttentionSample): ShownRow {
  const { answer } = sample;
  return {
    drop: sample.dropId,
    file: sample.file,
    line: sample.line,
    state: sample.state,
    requests: sample.requests,
    status: answer?.status ?? null,
    answer: answer?.detail ? shown(answer.detail, LONGEST_SENTENCE, mask.answer) : null,
    errorId: answer?.errorId ?? null,
    problems: sample.issues.map((issue) => ({
      code: issue.code,
      column: issue.column,
      sentence: shown(issue.message ?? 'its text was erased', LONGEST_SENTENCE, (text) =>
        mask.message(issue, text),
      ),
      remedy: shown(issue.remedy, LONGEST_SENTENCE, (text) => mask.remedy(issue, text)),
    })),
    fields: fieldsOf(sample).map(({ field, column, inFile, asRead }) => ({
      name: field.name,
      column,
      inFile: inFile === null ? null : shown(inFile, LONGEST_VALUE, (text) => mask.cell(field, text)),
      asRead: asRead === null ? null : shown(asRead, LONGEST_VALUE, (text) => mask.value(field, text)),
    })),
  };
}

/** The most characters of a value and of a sentence on the page; the attention file has all of them. */
const LONGEST_VALUE = 120;
const LONGEST_SENTENCE = 400;

/**
 * Clips the text before masking, because it may have any length, and again after, because a mask may be longer than what it
 * hides.
 */
function shown(text: string, length: number, mask: (text: string) => string): string {
  return clip(mask(clipForMasking(text, length)), length);
}

interface Mask {
  cell(field: Field, text: string): string;
  value(field: Field, text: string): string;
  message(issue: RowIssue, text: string): string;
  remedy(issue: RowIssue, text: string): string;
  answer(text: string): string;
}

const SHOW_ALL: Mask = {
  cell: (_, text) => text,
  value: (_, text) => text,
  message: (_, text) => text,
  remedy: (_, text) => text,
  answer: (text) => text,
};

/** One field of a row as the file has it and as it was read, or is given by the source. */
export interface ReadField {
  readonly field: Field;
  readonly column: string | null;
  readonly inFile: string | null;
  readonly asRead: string | null;
}

/** The operation's fields that the row has, in the operation's order. */
export function fieldsOf({
  operation,
  mapping,
  header,
  cells,
  record,
}: Pick<AttentionSample, 'operation' | 'mapping' | 'header' | 'cells' | 'record'>): ReadField[] {
  return operationNamed(operation).fields.flatMap((field) => {
    const column = mapping[field.name] ?? null;
    const value = record?.[field.name];
    if (column === null && value === undefined) return [];
    const index = column === null ? -1 : header.indexOf(column);
    const inFile = index < 0 || cells === null ? null : cellText(cells[index]);
    return [{ field, column, inFile, asRead: value === undefined ? null : String(value) }];
  });
}

/** The first field of a kind: as it was sent; for what the record lacks, as the file has it; null: the row has neither. */
export function fieldText(fields: readonly ReadField[], kind: Field['kind']): string | null {
  const match = fields.find(({ field }) => field.kind === kind);
  return match?.asRead ?? match?.inFile ?? null;
}

function maskFor(sample: AttentionSample): Mask {
  const fields = fieldsOf(sample);
  const isRagged = (sample.cells?.length ?? 0) > sample.header.length;
  const refused = new Set(sample.issues.map(({ column }) => column));
  const isPersonalCell = ({ kind }: Field, column: string | null, text: string) =>
    kind === 'learner' || isRagged || (refused.has(column) && isUnlike(kind, text));
  const columnOf = new Map(fields.map(({ field, column }) => [field, column]));
  const mapped = new Set(fields.map(({ column }) => column));
  const learner = fields.filter(({ field }) => field.kind === 'learner');
  const identifiers = learner
    .flatMap(({ inFile, asRead }) => [inFile ?? '', asRead ?? ''])
    .flatMap((id) => [id, ...alsoKnownAs(id)]);
  const mentioned = [
    ...identifiers,
    ...(sample.cells ?? [])
      .filter((_, index) => isRagged || !mapped.has(sample.header[index] ?? null))
      .map(cellText)
      .filter((text) => text.trim().length >= SHORTEST_MENTION),
  ];
  // Only the learner is masked in cells and values: other cells hold words that occur in titles, and titles aren't
  // personal.
  const ofLearner = mentioned.slice(0, identifiers.length);
  const isPersonal = (issue: RowIssue) => {
    const read = fields.find(({ field, column }) => (column ?? field.name) === issue.column);
    return read === undefined || isPersonalCell(read.field, issue.column, issue.value ?? '');
  };
  const maskRepeated = (text: string) => maskMentions(text, mentioned);
  return {
    cell: (field, text) =>
      isPersonalCell(field, columnOf.get(field) ?? null, text)
        ? maskText(text)
        : maskMentions(text, ofLearner),
    value: (field, text) => (field.kind === 'learner' ? maskText(text) : maskMentions(text, ofLearner)),
    message: (issue, text) => {
      const masked = isPersonal(issue) ? maskText : maskRepeated;
      return maskQuoted(text, issue, { own: masked, other: masked });
    },
    remedy: (issue, text) => {
      const own = isPersonal(issue) ? maskText : maskRepeated;
      // A remedy quotes all of a value that its message cuts, and beside it what to write into registrar.yaml.
      return maskQuoted(text, issue, { own, other: issue.value?.endsWith('…') ? own : maskRepeated });
    },
    answer: maskRepeated,
  };
}

/**
 * Masks the values in a sentence of Registrar's, which are in quotes: the issue's own value, and any other. The rest are
 * headers and fixed words, in which addresses alone are masked.
 */
function maskQuoted(
  sentence: string,
  { column, value }: RowIssue,
  mask: { readonly own: (text: string) => string; readonly other: (text: string) => string },
): string {
  const from = column !== null && sentence.startsWith(column) ? column.length : 0;
  const parts = value
    ? sentence
        .slice(from)
        .split(`"${value}"`)
        .flatMap((part) => part.split(JSON.stringify(value)))
    : [sentence.slice(from)];
  const masked = parts.map((part) => maskAddresses(part.replace(QUOTED, mask.other)));
  return maskAddresses(sentence.slice(0, from)) + masked.join(`"${mask.own(value ?? '')}"`);
}

/** The shortest cell that is masked in quotes and answers: a shorter one can't be distinguished from ordinary words. */
const SHORTEST_MENTION = 3;

/**
 * True for a text that isn't what its field expects: a date, a score or a zone without a digit may be a name, in a row
 * whose cells have shifted.
 */
function isUnlike(kind: Field['kind'], text: string): boolean {
  return ['timestamp', 'time', 'score', 'zone'].includes(kind) && !/\d/.test(text);
}
